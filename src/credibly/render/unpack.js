// Unpacks Vega, which stands in the page compressed, and runs it before anything else is done: at once, so that a page
// that is printed as it opens has its pictures. The page's policy knows Vega by its hash. Inflates as RFC 1951 says.
(() => {
  const BASES = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
  const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

  /** A code of Huffman, by how many symbols have each length, and the symbols in order. */
  function codeOf(lengths) {
    const counts = new Uint16Array(16);
    for (const length of lengths) counts[length] += 1;
    counts[0] = 0;
    const symbols = [...lengths.keys()].filter((s) => lengths[s]).sort((a, b) => lengths[a] - lengths[b] || a - b);
    return { counts, symbols };
  }

  function inflated(packed, size) {
    const made = new Uint8Array(size);
    let [read, held, holds, wrote] = [0, 0, 0, 0];
    const bits = (n) => {
      for (; holds < n; holds += 8) held |= packed[read++] << holds;
      const value = held & ((1 << n) - 1);
      held >>>= n;
      holds -= n;
      return value;
    };
    const symbolOf = ({ counts, symbols }) => {
      for (let length = 1, code = 0, first = 0, passed = 0; ; length++) {
        code |= bits(1);
        if (code - first < counts[length]) return symbols[passed + code - first];
        passed += counts[length];
        first = (first + counts[length]) << 1;
        code <<= 1;
      }
    };
    const codes = () => {
      const [literals, distances, n] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
      const short = new Array(19).fill(0);
      for (let i = 0; i < n; i++) short[ORDER[i]] = bits(3);
      const code = codeOf(short);
      const lengths = [];
      while (lengths.length < literals + distances) {
        const symbol = symbolOf(code);
        if (symbol < 16) lengths.push(symbol);
        else lengths.push(...new Array([() => 3 + bits(2), () => 3 + bits(3), () => 11 + bits(7)][symbol - 16]()).fill(symbol === 16 ? lengths.at(-1) : 0));
      }
      return [codeOf(lengths.slice(0, literals)), codeOf(lengths.slice(literals))];
    };
    for (let last = 0; !last;) {
      last = bits(1);
      if (bits(2) !== 2) throw new Error("Vega is packed by codes of its own."); // as every such long text is
      const [literals, distances] = codes();
      for (let symbol = symbolOf(literals); symbol !== 256; symbol = symbolOf(literals)) {
        if (symbol < 256) { made[wrote++] = symbol; continue; }
        const at = symbol - 257;
        const length = BASES[at] + (at < 8 || at === 28 ? 0 : bits((at >> 2) - 1));
        const far = symbolOf(distances);
        const back = far < 4 ? far + 1 : ((2 + (far & 1)) << ((far >> 1) - 1)) + 1 + bits((far >> 1) - 1);
        for (let i = 0; i < length; i++, wrote++) made[wrote] = made[wrote - back];
      }
    }
    return made;
  }

  const { textContent, dataset } = document.getElementById("library");
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(inflated(Uint8Array.from(atob(textContent), (c) => c.charCodeAt(0)), Number(dataset.size)));
  document.head.append(script);
})();
