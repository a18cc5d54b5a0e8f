import { hash } from 'node:crypto'
import { isJsonObject } from '#core/json/json-object.ts'
import { decodePercent } from '#core/text/decode-percent.ts'
import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import { classifyStatus, findRefusal, requireAnswer } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { type NearMiss, nearMisses } from '../../../kit/near-misses.ts'
import type { PostAnswer, VerifierContext } from '../context.ts'
import { findWeak } from '../guessable-values.ts'
import { requestToAnswer } from '../open-request.ts'
import { withDefects, withFaults } from '../presentation-checks.ts'

const endpoint = '1.endpoints/endpoint-a-verifier-exposes-to-the-wallet'
const mediaType = 'application/oauth-authz-req+jwt'

/** What the verifier answers to wallets, member by member. */
export const checks = defineChecks<VerifierContext>({
  'V129-unknown-request': {
    title: 'A request_uri that does not exist is answered with an error',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['docs/assumptions.md, A-30'],
    description:
      'A verifier that finds requests by a part of their address gives one holder the request of another.',
    sends:
      'The kit fetches a request, and then addresses with one character more or less at the end, or with another last character.',
    decides: 'Each response must be a 4xx status.',
    fix: 'Look up the request by the complete request_uri. If there is none, return 404.',
    async run({ openRequest, httpAs }) {
      const { fetched, parameters } = await openRequest()
      if (!fetched) return inconclusive('The request has no request_uri.')
      requireAnswer(fetched, 'The request at request_uri')
      const atEnd = ({ what }: NearMiss) => /last|end$/.test(what)
      return findEach(nearMisses.filter(atEnd), async ({ what, change }) => {
        const url = String(change(fetched.url))
        const answer = await httpAs('wallet').request(url)
        const subject = `A request_uri that ${what}`
        if (answer.status === 200 && answer.text.includes(String(parameters.nonce))) {
          return broken(`${subject} was answered with the request.`, { actual: 200 })
        }
        const { status, json } = answer
        // The verifier has just served the request itself.
        if (status === 500) return broken(`${subject} was answered with HTTP 500.`, { actual: 500 })
        return findRefusal({ method: 'GET', url, status, json }, { what: subject })
      })
    },
  },
  'V135-ended-request': {
    title: 'The request of a session that has ended is not served',
    level: 'practice',
    expectation: 'advice',
    clauses: ['docs/assumptions.md, A-30'],
    description:
      'A finished session never changes. A wallet that still receives its request asks the holder for consent, presents the credential, and reports a success that the browser never shows.',
    sends:
      'The kit ends two sessions, with a valid presentation and with a wrong signature, and then fetches their requests again.',
    decides: 'Each response must be a 4xx status.',
    fix: 'Read the state of the session before you serve its request. If the session has ended, return 410 or another 4xx.',
    async run({ openRequest, present, httpAs }) {
      const cases = [{ what: 'A valid presentation.' }, ...withFaults('presentation-bad-signature')]
      return findEach(cases, async (each) => {
        const opened = await openRequest()
        const { fetched } = opened
        if (!fetched) return inconclusive('The request has no request_uri.')
        const { status, reason } = await present(opened, each)
        if (status !== 200) return inconclusive(`${each.what} ${reason} See V49.`)
        const answer = await httpAs('wallet').request(fetched.url)
        return findRefusal(answer, { what: `${each.what} Afterwards the request` })
      })
    },
  },
  'V130-request-media-type': {
    title: 'A signed request is served as one, and is not kept by caches',
    level: 'practice',
    expectation: 'accept',
    clauses: ['OpenID4VP 1.0, 5.10.1', 'RFC 9101, 5.2.3'],
    description:
      'Wallets decide by the media type how to read a request. A cache that keeps a request serves its nonce after the session has ended.',
    sends: 'The kit starts a session and fetches its request as a wallet does.',
    decides: `The response must have the Content-Type ${mediaType} if it is a JWT, and application/json if it is JSON. Its Cache-Control must be no-store or no-cache.`,
    fix: `Serve a signed request with Content-Type: ${mediaType} and Cache-Control: no-store.`,
    async run({ openRequest }) {
      const { fetched, jwt } = await openRequest()
      if (!fetched) return inconclusive('The request has no request_uri.')
      requireAnswer(fetched, 'The request at request_uri')
      const expected = jwt === undefined ? 'application/json' : mediaType
      const actual = mediaTypeOf(fetched.headers.get('content-type'))
      const verdictSource = 'the headers of the response at request_uri'
      if (actual !== expected) {
        const reason = `The request has the Content-Type ${actual || '(none)'}.`
        return broken(reason, { verdictSource, expected, actual })
      }
      const cache = fetched.headers.get('cache-control')
      return isKept(cache)
        ? broken('Caches may keep the request.', {
            verdictSource,
            expected: 'Cache-Control: no-store',
            actual: cache,
          })
        : held(`It has the Content-Type ${actual} and the Cache-Control ${cache}.`, {
            verdictSource,
          })
    },
  },
  'V131-answer-to-presentation': {
    title: 'The response to a presentation is empty, or an object with redirect_uri',
    level: 'spec',
    expectation: 'accept',
    rows: [`${endpoint}.2`],
    clauses: ['OpenID4VP 1.0, 8.2'],
    description:
      'The wallet reads redirect_uri from the response. It cannot continue if the response is a page or something else.',
    sends:
      'Presentations in separate sessions: a valid one, one with a wrong signature, and one of an expired credential.',
    decides:
      'Each body must be empty, or a JSON object whose redirect_uri, if present, is an absolute URL. An object with a Content-Type other than application/json is a WARN.',
    fix: 'Respond with an empty body, or with Content-Type: application/json and an object: {} or {"redirect_uri": "https://…"}.',
    async run({ openRequest, present }) {
      const cases = [
        { what: 'A valid presentation.' },
        ...withFaults('presentation-bad-signature'),
        ...withDefects('expired'),
      ]
      return findEach(cases, async (each) => {
        const { status, reason, content } = await present(await openRequest(), each)
        if (content === undefined || classifyStatus(status) !== 'accepted') {
          return inconclusive(`${each.what} ${reason} See V49.`)
        }
        return findWrongAnswer(each.what, content)
      })
    },
  },
  'V132-response-code': {
    title: 'The address that the holder is redirected to cannot be guessed',
    level: 'practice',
    expectation: 'accept',
    clauses: ['OpenID4VP 1.0, 8.2', 'OpenID4VP 1.0, 13.3'],
    description:
      'An attacker who can guess the address continues the session of another holder. The address must contain a random code for this session.',
    sends: 'Four valid presentations in separate sessions.',
    decides:
      'If the responses have a redirect_uri, each must contain another value that is long enough for 128 bits, in its path, query or fragment, and that was not known before: not the session, nothing of the request, and no hash of these.',
    fix: 'Add a response_code to redirect_uri that you create when the presentation arrives, with at least 128 random bits: 22 characters of base64url. Accept it once.',
    async run(context) {
      const { openRequest, present } = context
      const addresses: URL[] = []
      const known: string[] = []
      // Three random UUIDs agree in too many characters once in 20,000 runs.
      for (let sample = 0; sample < 4; sample++) {
        const opened = await openRequest()
        requestToAnswer(opened)
        const { redirectUri, reason } = await present(opened)
        if (redirectUri === undefined) return inconclusive(`There is no redirect_uri. ${reason}`)
        const address = URL.parse(redirectUri)
        if (!address) return inconclusive('redirect_uri is not a URL; see V131.')
        addresses.push(address)
        const { link, session, parameters } = opened
        const values = [session, ...Object.values(parameters)].filter(
          (each) => typeof each === 'string',
        )
        known.push(
          JSON.stringify([
            decodePercent(link) ?? link,
            session,
            parameters,
            values.flatMap(hashesOf),
          ]),
        )
      }
      const codes = readCodes(addresses, known)
      const guessable = findWeak('code in redirect_uri', codes)
      if (guessable) return guessable
      const verdictSource = 'redirect_uri in the response of the response endpoint'
      const old = codes.find((code, sample) => known[sample]?.includes(code))
      return old === undefined
        ? held('Each redirect_uri has another code, which is long enough.', { verdictSource })
        : broken(
            'The code in redirect_uri is in the request, is the session, or is a hash of one of these.',
            {
              verdictSource,
              expected: 'a new code',
              actual: old,
            },
          )
    },
  },
  'V133-invisible-verdict': {
    title: 'The response to the wallet does not reveal why a presentation was rejected',
    level: 'practice',
    expectation: 'accept',
    clauses: ['docs/assumptions.md, A-30'],
    description:
      'An attacker who tries changed presentations must not learn which rule rejected them. The holder who waits at the browser sees the verdict.',
    sends:
      'Two presentations of each kind in separate sessions: with a wrong signature, with another nonce, with the credential of another holder, and with a credential that has a wrong signature, has expired, is revoked, or has an accreditation that is missing or revoked.',
    decides:
      'All responses must have the same status and members. Members, and parameters of redirect_uri, that are the same in both responses to one kind must be the same in all responses. A kind that the verifier accepts does not count: other checks report it.',
    fix: 'Respond to all rejected presentations alike, with 200 and an empty body or {}. Show the reason only to the operator and to the waiting browser.',
    async run({ openRequest, present, look }) {
      const seen = new Set<string>()
      const cases = [
        ...withFaults('presentation-bad-signature', 'presentation-wrong-nonce', 'holder-mismatch'),
        ...withDefects('bad-signature', 'expired', 'revoked'),
        ...withDefects('not-accredited', 'accreditation-revoked'),
      ]
      for (const each of cases) {
        const statuses: number[] = []
        const bodies: string[] = []
        let isAccepted = false
        for (let answer = 0; answer < 2; answer++) {
          const opened = await openRequest()
          const { status, reason, content } = await present(opened, each)
          const kind = status === 0 ? 'timed-out' : classifyStatus(status)
          if (content === undefined || (kind !== 'accepted' && kind !== 'refused')) {
            return inconclusive(`${each.what} ${reason}`)
          }
          statuses.push(status)
          bodies.push(content.body)
          isAccepted ||= (await look(opened)).verdict === 'accepted'
        }
        if (isAccepted) continue
        seen.add(`HTTP ${[...new Set(statuses)].join(' or ')} with ${describeBoth(bodies)}`)
      }
      const verdictSource = 'responses at response_uri'
      const [first] = seen
      if (seen.size === 0) return inconclusive('All of them were accepted; see V05, V07 and V12.')
      return seen.size === 1
        ? held(`Each was answered with ${first}.`, { verdictSource })
        : broken('The responses differ.', { verdictSource, actual: [...seen] })
    },
  },
})

/** Hashes of a value, which anyone who knows it can compute. */
const hashesOf = (value: string): string[] =>
  ['md5', 'sha1', 'sha256'].flatMap((algorithm) =>
    (['hex', 'base64url'] as const).map((encoding) => hash(algorithm, value, encoding)),
  )

type Content = NonNullable<PostAnswer['content']>

function findWrongAnswer(what: string, { body, header }: Content): Finding {
  const verdictSource = 'the body of the response of the response endpoint'
  if (body.trim() === '') return held(`${what} The body is empty.`, { verdictSource })
  const answer = readObject(body)
  if (!answer) {
    const details = { verdictSource, expected: 'no body or a JSON object', actual: body }
    return broken(`${what} The body is not a JSON object.`, details)
  }
  const { redirect_uri: redirectUri } = answer
  if (redirectUri !== undefined && !(typeof redirectUri === 'string' && URL.parse(redirectUri))) {
    const details = { verdictSource, expected: 'an absolute URL', actual: redirectUri }
    return broken(`${what} redirect_uri is not a URL.`, details)
  }
  const actual = mediaTypeOf(header('content-type'))
  const expected = 'application/json'
  return actual === expected
    ? held(
        `${what} The body is an object with the members ${Object.keys(answer).join(', ') || '(none)'}.`,
        {
          verdictSource,
        },
      )
    : broken(`${what} The object has the Content-Type ${actual || '(none)'}.`, {
        verdictSource,
        expected,
        actual,
        level: 'final',
      })
}

/** What two bodies have in common: their members, each with its value if it is the same. */
function describeBoth(bodies: readonly string[]): string {
  const [one = {}, other = {}] = bodies.map(membersIn)
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
  const members = names.map((name) =>
    one[name] === other[name] ? `${name} = ${one[name]}` : `${name} that differs`,
  )
  return members.join(', ') || 'no members'
}

/** The members of an object with their JSON, and the parameters of redirect_uri. */
function membersIn(body: string): Readonly<Record<string, string>> {
  const { redirect_uri: redirectUri, ...others } = readObject(body) ?? (body ? { body } : {})
  const members = Object.entries(others).map(([name, value]) => [name, JSON.stringify(value)])
  const address = URL.parse(String(redirectUri))
  const parameters = [
    ...(address?.searchParams ?? []),
    ...new URLSearchParams(address?.hash.slice(1)),
  ]
  return Object.fromEntries([
    ...members,
    ...(redirectUri === undefined ? [] : [['redirect_uri', 'an address']]),
    ...parameters.map(([name, value]) => [`redirect_uri?${name}`, value]),
  ])
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const mediaTypeOf = (header: string | null) => (header ?? '').split(';')[0]?.trim().toLowerCase()

const isKept = (cacheControl: string | null) =>
  !/no-store|no-cache|private|max-age=0/i.test(cacheControl ?? '')

/**
 * The longest part of each address that the others lack, in its path, query or fragment. A part
 * that was known before counts only if there is no other.
 */
function readCodes(addresses: readonly URL[], known: readonly string[]): string[] {
  const parts = addresses.map(({ pathname, searchParams, hash }) => {
    const fragment = hash.slice(1)
    const inFragment = fragment.includes('=')
      ? [...new URLSearchParams(fragment).values()]
      : [fragment]
    return [...pathname.split('/'), ...searchParams.values(), ...inFragment]
  })
  return parts.map((own, sample) => {
    const others = parts.filter((each) => each !== own).flat()
    const codes = own
      .filter((part) => !others.includes(part))
      .sort((one, other) => other.length - one.length)
    return codes.find((code) => !known[sample]?.includes(code)) ?? codes[0] ?? ''
  })
}
