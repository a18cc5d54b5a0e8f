import { isDeepStrictEqual } from 'node:util'
import { algorithmOf } from '#core/crypto/jwk.ts'
import { verifyJws } from '#core/crypto/jws.ts'
import type { Rule } from '#core/verification/rules.ts'
import { zResults } from '#scenarios/harness/z-results.ts'
import { sha256Of } from './sha256-of.ts'
import { summarizeResults } from './summarize-results.ts'
import type { SignedResultInput } from './verify-signed-result.ts'
import { signedResultAlgorithms, signedResultType } from './z-signed-result.ts'

const skewSeconds = 60

/** What has to hold of a signed result that could be read as a JWS. */
export const signedResultRules: readonly Rule<SignedResultInput>[] = [
  {
    rule: 'signed-result.typ',
    statement: `typ is ${signedResultType}.`,
    path: 'header.typ',
    evaluate: ({ parsed: { header } }, { fail }) => {
      if (header.typ !== signedResultType)
        fail(`typ is not ${signedResultType}`, undefined, header.typ)
    },
  },
  {
    rule: 'signed-result.alg',
    statement: `alg is one of ${signedResultAlgorithms.join(', ')}.`,
    path: 'header.alg',
    evaluate: ({ parsed: { header } }, { fail }) => {
      if (algorithmIn(header.alg) === undefined) fail('alg is none of them', undefined, header.alg)
    },
  },
  {
    rule: 'signed-result.key',
    statement: 'kid names the key, or the key is known by other means.',
    path: 'header.kid',
    evaluate: ({ key, publicKey }, { lack, note }) => {
      if (!key.ok) lack(key)
      else if (publicKey === undefined) {
        note('Whoever has this key signed. Whose it is, its owner has to say by other means.')
      }
    },
  },
  {
    rule: 'signed-result.curve',
    statement: "alg is the one for the key's curve.",
    path: 'header.alg',
    evaluate: ({ parsed: { header }, key }, { fail, lack }) => {
      if (!key.ok) lack({ ...key, kind: 'not-asked' }, 'there is no key')
      else if (algorithmOf(key.value) !== header.alg) fail('alg is not the one for the key')
    },
  },
  {
    rule: 'signed-result.signature',
    statement: 'The signature verifies with the key.',
    path: 'signature',
    evaluate: ({ parsed, key }, { fail, lack }) => {
      if (!key.ok) return lack({ ...key, kind: 'not-asked' }, 'there is no key')
      const algorithms = signedResultAlgorithms.filter((name) => name === algorithmOf(key.value))
      if (!verifyJws({ jws: parsed, publicKey: key.value, algorithms })) {
        fail('the signature does not verify with the key')
      }
    },
  },
  {
    rule: 'signed-result.payload',
    statement: 'The payload tells plan, target, kit, time, counts and each check.',
    path: 'payload',
    evaluate: ({ payload }, { fail }) => {
      for (const { path, message } of payload.error?.issues ?? []) {
        fail(message, ['payload', ...path].map(String).join('.'))
      }
    },
  },
  {
    rule: 'signed-result.iss',
    statement: 'iss is the DID of kid, or kid itself.',
    path: 'payload.iss',
    evaluate: ({ parsed: { header, payload } }, { fail }) => {
      const { kid } = header
      if (typeof kid === 'string' && payload.iss !== kid.split('#', 1)[0]) {
        fail('iss is not whom kid belongs to', undefined, payload.iss)
      }
    },
  },
  {
    rule: 'signed-result.iat',
    statement: 'It was not signed in the future, nor before the run.',
    path: 'payload.iat',
    evaluate: ({ payload: { data }, now }, { fail }) => {
      if (data === undefined) return
      if (data.iat > now + skewSeconds) fail('iat is in the future', undefined, data.iat)
      if (data.iat + skewSeconds < Date.parse(data.started_at) / 1000) {
        fail('it was signed before the run began', undefined, data.iat)
      }
    },
  },
  {
    rule: 'signed-result.counts',
    statement: 'The counts are those of the checks.',
    path: 'payload.counts',
    evaluate: ({ payload: { data } }, { fail }) => {
      if (data === undefined) return
      const of = (...verdicts: string[]) =>
        data.checks.filter(({ verdict }) => verdicts.includes(verdict)).length
      const counted = {
        passed: of('passed'),
        failed: of('failed'),
        warned: of('warned'),
        inconclusive: of('inconclusive'),
        skipped: of('interrupted', 'not-run'),
      }
      if (!isDeepStrictEqual(counted, data.counts))
        fail('the checks are others', undefined, counted)
    },
  },
  {
    rule: 'signed-result.digest',
    statement: 'results.json is the file that was signed, to the byte.',
    path: 'payload.results_sha256',
    evaluate: ({ parsed: { payload }, resultsJson }, { fail, lack }) => {
      if (resultsJson === undefined) return lack(notGiven)
      if (sha256Of(resultsJson) !== payload.results_sha256) fail('results.json has another digest')
    },
  },
  {
    rule: 'signed-result.verdicts',
    statement: 'results.json has the same checks with the same verdicts.',
    path: 'payload.checks',
    evaluate: ({ payload: { data }, resultsJson }, { fail, lack }) => {
      if (resultsJson === undefined) return lack(notGiven)
      const summary = summaryIn(resultsJson)
      if (summary === undefined) return fail('results.json holds no results of a plan')
      const { iss, iat, results_sha256, ...signed } = data ?? {}
      if (!isDeepStrictEqual(summary, signed)) fail('results.json tells another result')
    },
  },
]

const notGiven = {
  ok: false,
  kind: 'not-asked',
  reason: 'results.json is not here',
} as const

const algorithmIn = (alg: unknown) => signedResultAlgorithms.find((name) => name === alg)

function summaryIn(resultsJson: Uint8Array) {
  try {
    const parsed = zResults.safeParse(JSON.parse(new TextDecoder().decode(resultsJson)))
    return parsed.success ? summarizeResults(parsed.data) : undefined
  } catch {
    return undefined
  }
}
