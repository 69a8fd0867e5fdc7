// Every string reaches the page as text (textContent), never as markup.
const data = JSON.parse(document.getElementById('data').textContent);
const page = document.getElementById('page');
const repaint = [], attached = [];

const bytes = (text) => {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
};
const floats = (text) => new Float32Array(bytes(text));
// As wide as the screen has room for, so that letters keep their size.
const roomFor = (most) => Math.max(280, Math.min(most, innerWidth - 60));
