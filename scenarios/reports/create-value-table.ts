import { decodeToken, replaceTokens } from './decode-tokens.ts'

/** Each distinct value of a run once, and each token in them decoded once. */
export interface ValueTable {
  /** Keeps a value; gives its number, the same for equal values. */
  add(value: unknown): number
  /** Numbers of these values and of all tokens within them, however deep. */
  reach(numbers: Iterable<number>): Set<number>
  /** A kept value as JSON. */
  jsonOf(number: number): string
}

interface Entry {
  readonly json: string
  readonly tokens: readonly number[]
}

/** What stands for token number 7 in a text. Both characters are for private use; a message that holds them has them replaced. */
const reference = (number: number) => `\uE000${number}\uE001`
const forged = /[\uE000\uE001]/g

const mostLevels = 64

/** Keeps values by what they say. A token becomes a value `{header, payload}` of its own. */
export function createValueTable(): ValueTable {
  const entries: Entry[] = []
  const numberByJson = new Map<string, number>()
  const numberByToken = new Map<string, number | undefined>()

  function keep(value: unknown): number {
    const tokens: number[] = []
    const json = JSON.stringify(refer(value, tokens, 0)) ?? 'null'
    const known = numberByJson.get(json)
    if (known !== undefined) return known
    const number = entries.push({ json, tokens }) - 1
    numberByJson.set(json, number)
    return number
  }

  function keepToken(token: string): number | undefined {
    // The signature is cut in traces and says nothing here: tokens are the same that say the same.
    const key = token.split('.', 2).join('.')
    if (numberByToken.has(key)) return numberByToken.get(key)
    const decoded = decodeToken(token)
    const number = decoded && keep(decoded)
    numberByToken.set(key, number)
    return number
  }

  function referText(text: string, tokens: number[]): string {
    return replaceTokens(text.replace(forged, '\uFFFD'), (token) => {
      const number = keepToken(token)
      if (number === undefined) return undefined
      tokens.push(number)
      return reference(number)
    })
  }

  function refer(value: unknown, tokens: number[], level: number): unknown {
    if (typeof value === 'string') return referText(value, tokens)
    if (value === null || typeof value !== 'object') return value
    if (level > mostLevels) return '…'
    if (Array.isArray(value)) return value.map((item) => refer(item, tokens, level + 1))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name.replace(forged, '\uFFFD'),
        refer(member, tokens, level + 1),
      ]),
    )
  }

  return {
    add: keep,
    reach(numbers) {
      const reached = new Set<number>()
      const visit = (number: number) => {
        if (reached.has(number)) return
        reached.add(number)
        for (const token of entries[number]?.tokens ?? []) visit(token)
      }
      for (const number of numbers) visit(number)
      return reached
    },
    jsonOf: (number) => entries[number]?.json ?? 'null',
  }
}
