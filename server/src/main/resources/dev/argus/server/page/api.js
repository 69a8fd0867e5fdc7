// What the server is asked, and what it tells by itself.

export class Failure extends Error {
  constructor(status, error, expected) {
    super(error);
    this.status = status;
    this.expected = expected;
  }
}

const ROOT = '/api/v1';
export const job = (name) => '/jobs/' + encodeURIComponent(name);

const ask = async (path, accept, signal) => {
  let answer;
  try {
    answer = await fetch(ROOT + path, {headers: {Accept: accept}, signal, cache: 'no-cache'});
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new Failure(0, 'The server cannot be reached.', 'Is it running, and is the network up?');
  }
  if (answer.ok) return answer;
  let said = {};
  try { said = await answer.json(); } catch { /* no document: the status has to do */ }
  throw new Failure(answer.status, said.error || 'The server answered with status ' + answer.status + '.', said.expected || '');
};

// Whole numbers beyond 2^53 (nanoseconds since the epoch) lose their last digits here: pictures need milliseconds.
export const json = async (path, signal) => (await ask(path, 'application/json', signal)).json();
export const buffer = async (path, type, signal) => (await ask(path, type, signal)).arrayBuffer();
// What may not be there: null for 404.
export const maybe = (path, signal) => json(path, signal).catch((e) => {
  if (e instanceof Failure && e.status === 404) return null;
  throw e;
});
export const objectPath = (key) => '/objects/' + String(key).split('/').map(encodeURIComponent).join('/');
export const objectHref = (key) => ROOT + objectPath(key);

/** Listens to live events. `tell(type, data)` hears job, step, incident, and `missed` when all is to be read anew; `state(word)` hears live and lost. */
export const listen = (tell, state) => {
  let source = null, wait = 1000, timer = 0, lost = false;
  const open = () => {
    source = new EventSource(ROOT + '/events');
    source.onopen = () => {
      wait = 1000;
      state('live');
      if (lost) tell('missed', {});
      lost = false;
    };
    for (const type of ['job', 'step', 'incident']) {
      source.addEventListener(type, (e) => {
        let data = null;
        try { data = JSON.parse(e.data); } catch { return; }
        tell(type, data);
      });
    }
    source.addEventListener('reset', () => tell('missed', {}));
    source.onerror = () => {
      lost = true;
      state('lost');
      // The browser itself comes back, and says what it saw last; only where it gave up we begin anew.
      if (source.readyState === EventSource.CLOSED) {
        clearTimeout(timer);
        timer = setTimeout(open, wait);
        wait = Math.min(30000, 2 * wait);
      }
    };
  };
  open();
  // A browser has six connections to a server, whatever the number of its tabs: one that nobody looks at holds none.
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (document.hidden) {
      source.close();
      lost = true;
    } else if (source.readyState === EventSource.CLOSED) open();
  });
};
