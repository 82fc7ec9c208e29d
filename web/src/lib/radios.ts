// One of several by the keyboard, as an attachment to a radio group. The group is one stop for Tab, and arrows choose in it.

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function radios(group: HTMLElement): () => void {
  const all = () => [...group.querySelectorAll<HTMLElement>('[role=radio]')];

  function setStop() {
    const list = all();
    const stop = list.find((one) => one.ariaChecked === 'true') ?? list[0];
    for (const one of list) one.tabIndex = one === stop ? 0 : -1;
  }
  function key(event: KeyboardEvent) {
    const [step, list] = [STEPS[event.key], all()];
    const at = list.indexOf(document.activeElement as HTMLElement);
    if (step === undefined || at < 0) return;
    const next = list[(at + step + list.length) % list.length];
    next?.focus();
    next?.click();
    event.preventDefault();
    event.stopPropagation();
  }

  const watch = new MutationObserver(setStop);
  watch.observe(group, { subtree: true, childList: true, attributeFilter: ['aria-checked'] });
  group.addEventListener('keydown', key);
  setStop();
  return () => {
    watch.disconnect();
    group.removeEventListener('keydown', key);
  };
}
