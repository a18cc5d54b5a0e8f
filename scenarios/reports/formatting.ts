/** Escapes a string for one cell of a table, and its characters for Markdown. */
export const cell = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\|<>*_`[\]]/g, '\\$&')

/** A string as a block of code, with any content. */
export function fence(text: string, language: string): string {
  const ticks = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${ticks}${language}\n${text}\n${ticks}`
}

/** As many blocks as fit, joined, with a last line that says what was omitted. */
export function joinWithin(blocks: readonly string[], limit: number): string {
  const notice = '\n\n*Truncated. The report contains the full text.*\n'
  const room = limit - Buffer.byteLength(notice)
  if (room < 0) return ''
  let size = 0
  const fitting = blocks.findIndex((block) => {
    size += Buffer.byteLength(block) + 1
    return size > room
  })
  const isWhole = Buffer.byteLength(blocks.join('\n')) <= limit
  if (isWhole || fitting === -1) return blocks.join('\n')
  return blocks.slice(0, fitting).join('\n') + notice
}

/** Formats milliseconds: `8 ms`, `1.24 s`, `2 min 3 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(2)} s`
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A scenario's id as the id of an element and as part of a file name. */
export const slugOf = (id: string): string => id.replace(/[^A-Za-z0-9]+/g, '-')

/** Plans whose id is not the name of the system that they test. */
const systems: Readonly<Record<string, string>> = {
  idp: 'IDP',
  'relying-party': 'relying party',
  'did-registry': 'DID registry',
  tir: 'TIR',
}

/** The title of what a plan of the conformance kit found. */
export const planTitle = (plan: string): string => `Conformance of the ${systems[plan] ?? plan}`
