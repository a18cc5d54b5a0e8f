import { broken, type Finding, held, inconclusive } from '../../../kit/finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'

const samples = 20
const leastBits = 128

export const check = defineVerifierCheck({
  id: 'V03',
  title: 'nonce and state can not be guessed',
  level: 'final',
  expectation: 'accept',
  clauses: ['OpenID4VP 1.0, 5.2', 'RFC 6749, 10.12'],
  description:
    'Who knows the next nonce has a presentation made for it beforehand; who knows the state answers for somebody else.',
  sends: `${samples} sessions are begun and their requests are fetched.`,
  decides: `All nonces and all states have to be distinct, and long enough for ${leastBits} bits.`,
  async run({ openRequest }) {
    const nonces: unknown[] = []
    const states: unknown[] = []
    for (let sample = 0; sample < samples; sample++) {
      const { nonce, state } = (await openRequest()).parameters
      nonces.push(nonce)
      if (state !== undefined) states.push(state)
    }
    return (
      findGuessable('nonce', nonces) ??
      findGuessable('state', states) ??
      held(`${samples} nonces and ${states.length} states are distinct and long enough.`)
    )
  },
})

function findGuessable(name: string, values: readonly unknown[]): Finding | undefined {
  const texts = values.filter((value) => typeof value === 'string')
  if (texts.length < values.length) return inconclusive(`Not every ${name} is a text; see V01.`)
  if (new Set(texts).size < texts.length) return broken(`A ${name} was used twice.`)
  const short = texts.find((text) => bitsIn(text) < leastBits)
  if (short === undefined) return undefined
  return broken(`A ${name} has no room for ${leastBits} bits of chance.`, {
    expected: `${leastBits} bits`,
    actual: `${short.length} characters, ${Math.floor(bitsIn(short))} bits at most`,
  })
}

/** At most so many bits, by the characters that it is made of. */
function bitsIn(text: string): number {
  const digits = text.replaceAll('-', '')
  if (/^[0-9]*$/.test(digits)) return digits.length * Math.log2(10)
  return /^[0-9a-f]*$/i.test(digits) ? digits.length * 4 : text.length * 6
}
