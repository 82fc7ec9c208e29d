// Keeps the keyboard's place: when what had the focus goes away or can no longer be pressed, what stands nearest takes it.
// It serves people who use the keyboard and leaves alone those who pressed with the pointer last.

const STOPS = 'a[href], button, input, select, textarea, summary, [tabindex]';

const canTake = (one: Element): one is HTMLElement =>
  !one.matches(':disabled, [tabindex="-1"], [type=file]') && !one.closest('[inert]') && one.checkVisibility();

/** An element that held what had the focus, and at which place among its children. */
interface Holder {
  element: Element;
  place: number;
}

function holders(of: Element): Holder[] {
  const found: Holder[] = [];
  for (let at = of; at.parentElement; at = at.parentElement) {
    found.push({ element: at.parentElement, place: [...at.parentElement.children].indexOf(at) });
  }
  return found;
}

/** What stands next in a holder, else before; null if nothing there can take the focus. */
function nearest({ element, place }: Holder): HTMLElement | null {
  const stops = [...element.querySelectorAll(STOPS)].filter(canTake);
  const children = [...element.children];
  const placeOf = (stop: Element) => children.findIndex((child) => child.contains(stop));
  return stops.find((stop) => placeOf(stop) >= place) ?? stops.at(-1) ?? null;
}

/** Watches over the focus; inside the frame given it goes to the nearest, and to the frame itself where nothing is near. */
export function keepFocus(frame: HTMLElement): () => void {
  let trail: Holder[] = [];
  const remember = (event: FocusEvent) => (trail = holders(event.target as Element));
  let byPointer = false;
  const pressed = () => (byPointer = true);
  const typed = () => (byPointer = false);

  function mend() {
    const active = document.activeElement;
    const isLost = active === null || active === document.body || active.matches(':disabled');
    if (!isLost || byPointer || trail.length === 0 || !document.hasFocus()) return;
    const near = trail.filter(({ element }) => element.isConnected && element !== frame && frame.contains(element));
    const next = near.map(nearest).find((one) => one !== null) ?? frame;
    next.focus({ preventScroll: next === frame });
  }

  const watch = new MutationObserver(mend);
  watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  document.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', pressed, true);
  document.addEventListener('keydown', typed, true);
  return () => {
    watch.disconnect();
    document.removeEventListener('focusin', remember);
    document.removeEventListener('pointerdown', pressed, true);
    document.removeEventListener('keydown', typed, true);
  };
}
