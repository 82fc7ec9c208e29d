"""The work of networks.rs in PyTorch, on the CPU: python3 pytorch.py [threads]."""

import sys
import time

import torch
from torch import nn

torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
torch.manual_seed(1)


def dense():
    widths = [25, 300, 256, 128, 1]
    layers = []
    for before, after in zip(widths, widths[1:]):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-1], nn.Sigmoid())


def convolutional(planes=12, channels=64):
    layers = [nn.Conv2d(planes, channels, 3, padding=1), nn.ReLU()]
    for _ in range(4):
        layers += [nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU()]
    return nn.Sequential(*layers, nn.Conv2d(channels, 1, 3, padding=1))


def best_rate(items, call, seconds=3.0, rounds=10):
    """Items per second in the best of some rounds."""
    call()
    start = time.perf_counter()
    call()
    calls = max(1, int(seconds / rounds / (time.perf_counter() - start)))
    best = 0.0
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        best = max(best, calls * items / (time.perf_counter() - start))
    return best


def training(network, optimiser, loss, inputs, targets):
    def step():
        optimiser.zero_grad()
        loss(network(inputs), targets).backward()
        optimiser.step()

    return step


print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads")
for size in [2000, 10]:
    network = dense()
    optimiser = torch.optim.RMSprop(network.parameters(), lr=1e-3, alpha=0.9, eps=1e-7)
    inputs = torch.randint(-4, 9, (size, 25)).float()
    targets = torch.randint(0, 2, (size, 1)).float()
    step = training(network, optimiser, nn.MSELoss(), inputs, targets)
    print(f"training 25-300-256-128-1, batch {size}, RMSprop: {best_rate(size, step):.0f} samples/s")

for layout in [torch.contiguous_format, torch.channels_last]:
    network = convolutional().to(memory_format=layout)
    optimiser = torch.optim.Adam(network.parameters())
    inputs = torch.randint(0, 2, (256, 12, 10, 10)).float().to(memory_format=layout)
    targets = torch.randint(0, 2, (256, 1, 10, 10)).float()
    step = training(network, optimiser, nn.BCEWithLogitsLoss(), inputs, targets)
    print(f"training six convolutions, batch 256, Adam, {layout}: {best_rate(256, step):.0f} boards/s")

torch.set_num_threads(1)
with torch.inference_mode():
    network, inputs = dense(), torch.randint(-4, 9, (99, 25)).float()
    print(f"99 samples of 25-300-256-128-1, one thread: {1e3 / best_rate(1, lambda: network(inputs)):.3f} ms")
    for layout in [torch.contiguous_format, torch.channels_last]:
        network = convolutional().to(memory_format=layout)
        inputs = torch.zeros(1, 12, 10, 10).to(memory_format=layout)
        rate = best_rate(1, lambda: network(inputs))
        print(f"one 10x10 board, six convolutions, one thread, {layout}: {1e3 / rate:.3f} ms")
