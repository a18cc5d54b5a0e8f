import { createPrivateJwk, type PublicJwk } from '#core/crypto/jwk.ts'
import { type HolderCurve, holderCurves } from '#core/crypto/suites.ts'
import { parseJson } from '#core/json/read-json.ts'
import { decodePercent } from '#core/text/decode-percent.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import { broken, describeBrokenRules, type Finding, held } from '../../../kit/check.ts'

/** Whether a part of a message is as documented, and the problem if it is not. */
export type Statement = readonly [holds: boolean, problem: string]

/** Evaluates statements about a message and reports every problem. */
export function findProblems(
  what: string,
  statements: readonly Statement[],
  verdictSource: string,
): Finding {
  const problems = statements.flatMap(([holds, problem]) => (holds ? [] : [problem]))
  return problems.length === 0
    ? held(`${what} is as documented.`, { verdictSource })
    : broken(`${what} is not as documented: ${problems.join('; ')}.`, {
        verdictSource,
        actual: problems,
      })
}

/** Reports every broken rule. `what` names the message. */
export function findBrokenRules(
  what: string,
  failures: readonly VerificationFailure[],
  verdictSource: string,
): Finding {
  if (failures.length === 0) return held(`${what} passes every rule.`, { verdictSource })
  const reason = `${what} breaks ${describeBrokenRules(failures)}.`
  return broken(reason, { verdictSource, failures })
}

/** Matches JWTs anywhere: in a form, in JSON, in a presentation. */
const jwt = /(?<![\w-])[\w-]+\.[\w-]+\.[\w-]*/g

/**
 * Finds private and symmetric JWKs in texts, including JWTs and forms. Returns the type and curve
 * of each, not its value.
 */
export function findSecretKeys(texts: readonly string[]): string[] {
  const parts = texts.flatMap((text) => [text, ...new URLSearchParams(text).values()])
  return [...new Set(parts.flatMap((part) => keysInText(part, 0)))]
}

const deepest = 4

function keysInText(text: string, depth: number): string[] {
  if (depth > deepest) return []
  const parts = [text, ...(text.match(jwt) ?? []).flatMap((token) => token.split('.').map(decode))]
  return parts.flatMap((part) => {
    const value = parseJson(part)
    return value === undefined ? [] : keysIn(value, depth)
  })
}

function keysIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return keysInText(value, depth + 1)
  if (typeof value !== 'object' || value === null) return []
  const { kty, crv, d, k } = value as Record<string, unknown>
  const isSecret = kty !== undefined && (d !== undefined || k !== undefined)
  const own = isSecret ? [`a JWK of ${[kty, crv].filter(Boolean).join(' ')}`] : []
  return [...own, ...Object.values(value).flatMap((member) => keysIn(member, depth))]
}

const decode = (part: string) => Buffer.from(part, 'base64url').toString('utf8')

const keyLength = 32

/**
 * Finds the private key of a public key in texts: as hex, base64, base64url, decimal number, PEM,
 * DER or list of bytes, also within JWTs, forms and URLs. Returns the encoding of each, not its
 * value.
 */
export function findPrivateKeyOf(publicKey: PublicJwk, texts: readonly string[]): string[] {
  const curve = holderCurves.find((each) => each === publicKey.crv)
  if (curve === undefined) return []
  const seen = new Set<string>()
  const found = texts
    .flatMap((text) => candidatesIn(text, 0))
    .filter(({ secret }) => {
      const hex = secret.toString('hex')
      const isNew = !seen.has(hex)
      seen.add(hex)
      return isNew && derives(curve, secret, publicKey)
    })
  return [...new Set(found.map(({ encoding }) => `its own as ${encoding}`))]
}

interface Candidate {
  readonly encoding: string
  readonly secret: Buffer
}

function derives(curve: HolderCurve, secret: Buffer, { x }: PublicJwk): boolean {
  try {
    return createPrivateJwk(curve, secret).x === x
  } catch {
    return false
  }
}

function candidatesIn(text: string, depth: number): Candidate[] {
  if (depth > deepest) return []
  // PEM has line breaks, which JSON escapes and URLs encode.
  const joined = (decodePercent(text) ?? text).replace(/-----[A-Z ]+-----|\\[rn]|[\r\n]/g, ' ')
  const plain = `${joined} ${joined.replaceAll(' ', '')}`
  return [
    ...matches(plain, /[0-9a-f]{64,}/gi).flatMap((run) =>
      keysInBytes('hex', Buffer.from(run.slice(0, run.length - (run.length % 2)), 'hex')),
    ),
    ...matches(plain, /\d{60,78}/g).map((run) => ({
      encoding: 'decimal number',
      secret: Buffer.from(BigInt(run).toString(16).padStart(64, '0'), 'hex'),
    })),
    ...matches(plain, /\d{1,3}(?:,\s*\d{1,3}){31,}/g).flatMap((run) =>
      keysInBytes('list of bytes', Buffer.from(run.split(',').map(Number))),
    ),
    ...matches(plain, /[\w+/-]{43,}/g).flatMap((run) => {
      const bytes = Buffer.from(run, 'base64')
      return [...keysInBytes('base64', bytes), ...candidatesIn(bytes.toString('utf8'), depth + 1)]
    }),
  ]
}

const matches = (text: string, pattern: RegExp) => [...new Set(text.match(pattern) ?? [])]

/** Where 32 bytes may be a key: all bytes, half of a pair, or an octet string in DER. */
function keysInBytes(encoding: string, bytes: Buffer): Candidate[] {
  const isPair = bytes.length === 2 * keyLength
  const starts = bytes.length === keyLength ? [0] : isPair ? [0, keyLength] : []
  for (
    let at = bytes.indexOf('0420', 0, 'hex');
    at >= 0;
    at = bytes.indexOf('0420', at + 1, 'hex')
  ) {
    starts.push(at + 2)
  }
  return starts
    .map((start) => ({ encoding, secret: bytes.subarray(start, start + keyLength) }))
    .filter(({ secret }) => secret.length === keyLength)
}
