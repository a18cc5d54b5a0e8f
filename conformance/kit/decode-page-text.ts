const named: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
}

/**
 * A page's source with its character references (`&amp;`, `&#x26;`) and the escapes of JSON and
 * scripts in it (`\u0026`, `\/`) undone, so that links and codes stand there as they are meant.
 */
export function decodePageText(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_all, four?: string, two?: string) =>
      String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
    )
    .replaceAll('\\/', '/')
    .replace(/&(?:#x([0-9a-f]{1,4})|#(\d{1,5})|(amp|quot|apos|lt|gt));/gi, decodeReference)
}

function decodeReference(_all: string, hex?: string, decimal?: string, name?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? ''
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return String.fromCharCode(code)
}
