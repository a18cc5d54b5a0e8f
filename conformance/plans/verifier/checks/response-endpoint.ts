import { encodeJson } from '#core/crypto/base64url.ts'
import { parseJws, signJws } from '#core/crypto/jws.ts'
import { type JsonObject, membersOf } from '#core/json/json-object.ts'
import { createStatusEntry } from '#core/status-list/status-list-credential.ts'
import { changeCall, setBody, setHeaders } from '#wallet-emulator/faults/change-call.ts'
import { setHeader, setMembers, setPayload } from '#wallet-emulator/faults/change-jws.ts'
import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import { classifyStatus, findRefusal } from '../../../kit/classify-answer.ts'
import { findEach, worstOf } from '../../../kit/find-each.ts'
import { type NearMiss, nearMisses } from '../../../kit/near-misses.ts'
import type { PostAnswer, VerifierContext } from '../context.ts'
import {
  findAcceptance,
  findEachAnswered,
  nonAcceptances,
  withChange,
  withDefect,
  withDefects,
  withFaults,
} from '../presentation-checks.ts'
import { addLast, inCredential, inPresentation } from '../raw-tokens.ts'

const plain = Buffer.from('{"alg":"ES256K"}').toString('base64url')
const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
const deep = (name: string) =>
  Buffer.from(`{"alg":"ES256K","${name}":${nested}}`).toString('base64url')
const withoutEnd = Buffer.from('"alg').toString('base64url')
const withRest = Buffer.from('{}"alg"').toString('base64url')

const posts: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  'an empty form': { vp_token: undefined, presentation_submission: undefined },
  'an error of the wallet': { vp_token: undefined, error: 'access_denied' },
  'three dots': { vp_token: '...' },
  'a header that is not JSON': { vp_token: 'e.e30.AA' },
  'a string without an end as the header': { vp_token: `${withoutEnd}.e30.AA` },
  'null as the header': { vp_token: 'bnVsbA.bnVsbA.AA' },
  'a string after the object in the header': { vp_token: `${withRest}.e30.AA` },
  'a string after the object in the payload': { vp_token: `${plain}.${withRest}.AA` },
  'a deeply nested vp': { vp_token: `${plain}.${deep('vp')}.AA` },
  'a deeply nested claim': { vp_token: `${plain}.${deep('note')}.AA` },
  'a deeply nested header': { vp_token: `${deep('note')}.e30.AA` },
  'a number as the payload': { vp_token: `${plain}.NQ.AA` },
  'a deeply nested submission': {
    presentation_submission: nested,
  },
  'a submission that is null': { presentation_submission: 'null' },
  'a submission that is a list': { presentation_submission: '[]' },
}

/** A program that converts it to a string or a number fails. */
const withToString = { toString: 'text' }

/** Adds a member to an object in the JSON of a token. */
const nestDeeply = (name: string) => (json: string) =>
  json.replace(`"${name}":{`, `$&"note":${nested},`)

const asMultipart = withChange('The form is posted as multipart/form-data.', {
  presentationCall: setBody((body) => {
    const parts = [...new URLSearchParams(body)].map(
      ([name, value]) =>
        `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    return `${parts.join('')}--part--\r\n`
  }, 'multipart/form-data; boundary=part'),
})

const inQuery = withChange('The form is empty, and its members are in the query of the address.', {
  presentationCall: changeCall(['url', 'body'], ({ url, body = '', ...call }) => ({
    ...call,
    url: `${url}${url.includes('?') ? '&' : '?'}${body}`,
    body: '',
  })),
})

const credentialIn = ({ vp }: JsonObject): string =>
  String([membersOf(vp).verifiableCredential].flat()[0])

const inQueryOfGet = withChange('The form is in the query of a GET request.', {
  presentationCall: changeCall(['method', 'url', 'body'], ({ url, body: form = '', ...call }) => {
    const { body: _, ...get } = { ...call, body: form }
    return { ...get, method: 'GET', url: `${url}${url.includes('?') ? '&' : '?'}${form}` }
  }),
})

/** Browsers send this content type to other origins without a preflight request, too. */
const asTextWithParameter = withChange(
  'The form is posted as text/plain, with the content type of a form as a parameter.',
  {
    presentationCall: setHeaders({
      'content-type': 'text/plain; type=application/x-www-form-urlencoded',
    }),
  },
)

const inCapitals = withChange('The form has VP_TOKEN instead of vp_token.', {
  presentationCall: setBody((body) => body.replace('vp_token=', 'VP_TOKEN=')),
})

/** What a holder did not sign, made of the payload of a presentation. */
const unsignedTokens: readonly {
  readonly what: string
  readonly read: (payload: JsonObject) => string
}[] = [
  { what: 'the credential itself', read: credentialIn },
  { what: 'the credential as an SD-JWT', read: (payload) => `${credentialIn(payload)}~` },
  { what: 'the JSON of the payload', read: (payload) => JSON.stringify(payload) },
  {
    what: 'the JSON of vp, with the holder and the nonce',
    read: ({ vp, iss, nonce }) => JSON.stringify({ ...membersOf(vp), holder: iss, nonce }),
  },
]

/** How the response endpoint answers posts, regardless of the verdict. */
export const checks = {
  ...nonAcceptances({
    'V48-no-form': {
      title: 'A presentation that is not posted as a form is not accepted',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 8.2'],
      description:
        'Browsers send text/plain to other origins without a preflight request. A verifier that reads any body lets every page post to it.',
      sends:
        'Valid presentations: the form posted as text/plain, also with the content type of a form as a parameter, its members as JSON and as multipart/form-data, an empty form with the members in the query of the address, and a GET with them.',
      fix: 'Accept only application/x-www-form-urlencoded at response_uri. Compare it as a whole. Reject GET, and other content types with 415 or another 4xx, and do not read fields from the query.',
      presentations: [
        ...withFaults('response-text-plain', 'response-json'),
        asTextWithParameter,
        asMultipart,
        inQuery,
        inQueryOfGet,
      ],
    },
    'V53-no-presentation': {
      title: 'A form without a presentation, or with two, is not accepted',
      level: 'final',
      clauses: ['RFC 6749, 1.9', 'RFC 6749, 3.1', 'OpenID4VP 1.0, 8.1'],
      description:
        'If a field occurs twice, parts of a verifier may read different values: one is verified and the other is used.',
      sends:
        'Three forms: one without vp_token, one with two vp_token fields, and one with VP_TOKEN instead, since names of parameters are case-sensitive.',
      fix: 'Require vp_token exactly once in the form. If it is missing or repeated, do not accept the form: do not use the first or the last value.',
      presentations: [
        ...withFaults('response-missing-vp-token', 'response-vp-token-twice'),
        {
          ...inCapitals,
          level: 'practice',
          fix: 'Compare the names of fields exactly. Some frameworks ignore their case, such as Request.Form in ASP.NET.',
        },
      ],
    },
    'V143-unsigned-presentation': {
      title: 'A vp_token that no holder signed is not accepted',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/presentation-token.1',
        '1.resources-and-their-fields/presentation-token.2',
      ],
      description:
        'Other formats present a credential without a JWT around it. A verifier whose library reads them too accepts a credential from everyone who has seen it.',
      sends: `Forms whose vp_token is not a presentation: ${unsignedTokens.map(({ what }) => what).join(', ')}.`,
      fix: 'Require a JWT with a vp claim as vp_token, and verify its signature with the key in kid. Turn off the other formats of your library, such as a bare credential, SD-JWT and JSON with a proof.',
      presentations: unsignedTokens.map(({ what, read }) =>
        withChange(`vp_token is ${what}.`, {
          presentationResponse: setMembers({
            vp_token: (token: unknown) => {
              const jws = parseJws(String(token))
              return read(jws.ok ? jws.payload : {})
            },
          }),
        }),
      ),
    },
  }),
  ...defineChecks<VerifierContext>({
    'V08-replayed-presentation': {
      title: 'A replayed presentation does not give access to the session',
      level: 'practice',
      expectation: 'refuse',
      clauses: ['docs/assumptions.md, A-30', 'OpenID4VP 1.0, 13.3'],
      description:
        'If the response redirects the holder with a one-time code, an attacker who posts the same presentation again must not receive a code.',
      sends:
        'A valid presentation, and then the same form again to the same session. To another session, valid presentations of two holders.',
      decides:
        'The second post must be rejected with a 4xx status, or its response must not have a redirect_uri if the first one had it.',
      fix: 'Accept one presentation for each session. Respond to a second post with a 4xx, or with 200 and without redirect_uri.',
      async run({ openRequest, present }) {
        const first = await present(await openRequest())
        if (first.status !== 200) {
          return inconclusive(
            `The verifier did not accept the first, valid presentation. ${first.reason}`,
          )
        }
        const replay = await present(await openRequest(), withFaults('presentation-replayed')[0])
        const taken = await openRequest()
        await present(taken)
        const other = await present(taken)
        return worstOf([
          findNoRedirect('The same presentation', replay, first),
          findNoRedirect('The presentation of a second holder', other, first),
        ])
      },
    },
    'V49-answers-200': {
      title: 'The endpoint returns 200 for every presentation, regardless of the verdict',
      level: 'spec',
      expectation: 'accept',
      rows: [
        '1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.2',
        '1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1',
      ],
      description:
        'The verifier must return HTTP 200. It reports the verdict to the waiting browser, not to the wallet. For the wallet, any other status is an error.',
      sends:
        'Presentations in separate sessions: a valid one, one with a wrong signature, one without its submission, and ones whose credential has a wrong signature, has expired, is revoked, or has an accreditation that is missing or revoked.',
      decides:
        'Each post must be answered with 200. An overload or an outage makes the check inconclusive.',
      fix: 'Respond to every post of a presentation with 200, even if you reject the presentation. Report the verdict only to the waiting browser.',
      run: (context) =>
        findEachAnswered(context, [
          { what: 'A valid presentation.' },
          ...withFaults('presentation-bad-signature', 'submission-missing'),
          ...withDefects(
            'bad-signature',
            'expired',
            'not-accredited',
            'accreditation-revoked',
            'revoked',
          ),
        ]),
    },
    'V88-unknown-session': {
      title: 'A post to a session that does not exist is rejected',
      level: 'practice',
      expectation: 'refuse',
      control: 'presentation',
      clauses: ['docs/assumptions.md, A-30'],
      description:
        'A wallet that receives 200 for an unknown session reports success to its holder.',
      sends:
        'Valid presentations to the response_uri of a session, with one character more or less at its end, or with another last character.',
      decides:
        'Each response must be a 4xx status, while the session itself accepts a valid presentation.',
      fix: 'Look up the session by the complete response_uri. If there is none, reject the post with 404.',
      async run({ openRequest, present }) {
        const opened = await openRequest()
        const { response_uri: responseUri } = opened.parameters
        if (typeof responseUri !== 'string')
          return inconclusive('The request has no response_uri; see V01.')
        const atEnd = ({ change }: NearMiss) => String(change(responseUri)).startsWith('http')
        const changes = nearMisses.filter(({ what }) => !what.includes('case')).filter(atEnd)
        return findEach(changes, async ({ what, change }) => {
          const url = change(responseUri)
          const parameters = { ...opened.parameters, response_uri: url }
          const { status, reason } = await present({ ...opened, parameters })
          if (status === 0) return inconclusive(reason)
          const post = `A post to a response_uri that ${what}`
          return findRefusal({ method: 'POST', url, status, json: undefined }, { what: post })
        })
      },
    },
    'V89-undecodable-posts': {
      title: 'No form makes the verifier fail',
      level: 'practice',
      expectation: 'refuse',
      control: 'presentation',
      clauses: ['docs/assumptions.md, A-30'],
      description:
        'Client input must not cause a server error. A 500 response invites further attacks.',
      sends: `${Object.keys(posts).length} forms in separate sessions: ${Object.keys(posts).join(', ')}.`,
      decides: 'None may be answered with a 5xx status, and none may be accepted.',
      fix: 'Catch the errors of all JSON and JWT parsers, and limit the nesting. Treat an unreadable form like a rejected presentation: do not respond with a 5xx.',
      async run({ openRequest, present, look }) {
        return findEach(Object.entries(posts), async ([what, members]) => {
          const expected = { at: 'nowhere', because: '' } as const
          const apply = { presentationResponse: setMembers<Record<string, string>>(members) }
          const fault = { name: what, description: what, check: '', rule: '', expected, apply }
          const opened = await openRequest()
          const { status, reason } = await present(opened, { faults: [fault] })
          const verdictSource = 'HTTP status of the response endpoint'
          const kind = status === 0 ? 'timed-out' : classifyStatus(status)
          if (kind === 'outage') {
            const details = { verdictSource, expected: 'no 5xx', actual: status }
            return broken(`The form was ${what}. ${reason}`, details)
          }
          if (kind === 'timed-out' || kind === 'overloaded') return inconclusive(reason)
          const after = await look(opened)
          if (after.verdict === 'accepted') return findAcceptance(`The form was ${what}.`, after)
          return held(`The form was ${what}. It was answered, and not accepted.`)
        })
      },
    },
    'V93-unreadable-form-answered': {
      title: 'A form that contains no presentation is answered with 200 as well',
      level: 'practice',
      expectation: 'accept',
      clauses: ['docs/assumptions.md, A-30'],
      description:
        'The verifier must return HTTP 200. The profile states it for presentations. A different response to a wallet would also inform an attacker.',
      sends:
        'Two forms in separate sessions: one whose vp_token is not a JWT, and one without vp_token.',
      decides:
        'Each post must be answered with 200. An overload or an outage makes the check inconclusive.',
      fix: 'Respond to a form whose vp_token is missing or not a JWT with 200, like a rejected presentation.',
      run: (context) =>
        findEachAnswered(context, [
          withChange('vp_token is not a JWT.', {
            presentationResponse: setMembers({ vp_token: 'not-a-token' }),
          }),
          ...withFaults('response-missing-vp-token'),
        ]),
    },
    'V121-parallel-posts': {
      title: 'Of two presentations posted at the same time only one gives access',
      level: 'practice',
      expectation: 'refuse',
      clauses: ['docs/assumptions.md, A-30'],
      description:
        'While one presentation is verified, the session is still open. A verifier that only then ends it accepts a second one meanwhile, and each response has a code for the session.',
      sends:
        'Two valid presentations of different holders to one session, at the same time, and then one to another session.',
      decides:
        'Not more than one of the two responses may have a redirect_uri, and one may have it only if the last response has one. If none has it, the check is inconclusive.',
      fix: 'End the session in one atomic step, such as an UPDATE with the old state in its condition. Return redirect_uri only if this step changed the session.',
      async run({ openRequest, present }) {
        const opened = await openRequest()
        const answers = await Promise.all([present(opened), present(opened)])
        const redirects = answers.filter(({ redirectUri }) => redirectUri !== undefined)
        const verdictSource = 'responses at response_uri'
        if (redirects.length > 1) {
          return broken('Both responses have a redirect_uri.', {
            verdictSource,
            expected: 'one redirect_uri',
            actual: redirects.map(({ redirectUri }) => redirectUri),
          })
        }
        if (redirects.length === 0) {
          const reason = 'No response has a redirect_uri, so it is unknown which post counted.'
          return inconclusive(reason, { verdictSource })
        }
        const alone = await present(await openRequest())
        if (alone.status === 200 && alone.redirectUri === undefined) {
          const reason = 'Only the response to a post that did not count has a redirect_uri.'
          return broken(reason, { verdictSource, expected: 'a redirect_uri in the last response' })
        }
        return held('Only one of the two responses has a redirect_uri.', { verdictSource })
      },
    },
    'V122-no-server-error': {
      title: 'No presentation is answered with a server error',
      level: 'practice',
      expectation: 'accept',
      clauses: ['RFC 9110, 15.6'],
      description:
        'A presentation is input like any other. If a verifier fails, there is no verdict, and the holder waits.',
      sends:
        'Presentations in separate sessions: a valid one, one with a wrong signature, one with a revoked credential, ones whose status list has an address that is not a URL, ones that are nested 20,000 levels deep, ones whose iat, or kid of the credential, is an object with the member toString, and ones with the names of members of every object, such as __proto__, in their header or payload.',
      decides:
        'None may be answered with 500. An overload or a timeout makes the check inconclusive.',
      fix: 'Look up the error in your log. Respond to each presentation with 200, and report failures in the state of the session.',
      async run({ openRequest, present }) {
        const verdictSource = 'HTTP status of the response endpoint'
        const cases = [
          { what: 'A valid presentation.' },
          ...withFaults('presentation-bad-signature'),
          ...withDefects('revoked'),
          ...['https://[', 'list?7', ''].map((statusListCredential) =>
            withDefect(`The address of its status list is ${statusListCredential || 'empty'}.`, {
              change: () => {
                const entry = createStatusEntry({ statusListUrl: statusListCredential, index: 7 })
                return { vc: { credentialStatus: { ...entry, statusListCredential } } }
              },
            }),
          ),
          inCredential({ what: 'is nested deeply', payload: nestDeeply('vc') }),
          inPresentation({ what: 'is nested deeply', payload: nestDeeply('vp') }),
          withChange('iat of the presentation is an object.', {
            presentation: setPayload({ iat: withToString }),
          }),
          withChange('alg of the presentation is __proto__.', {
            presentation: setHeader({ alg: '__proto__' }),
          }),
          ...['header', 'payload'].map((part) =>
            inCredential({
              what: `has members of every object in its ${part}`,
              [part]: (json: string) => addLast('__proto__', {})(addLast('constructor', 7)(json)),
            }),
          ),
          withDefect('alg of the credential is constructor.', {
            sign: (header, payload, privateKey) =>
              signJws({ header, payload, privateKey }).replace(
                /^[^.]*/,
                encodeJson({ ...header, alg: 'constructor' }),
              ),
          }),
          withDefect('kid of the credential is an object.', {
            change: () => ({ header: { kid: withToString } }),
          }),
        ]
        return findEach(cases, async (each) => {
          const { status, reason } = await present(await openRequest(), each)
          const kind = status === 0 ? 'timed-out' : classifyStatus(status)
          const found = `${each.what} ${reason}`
          if (kind === 'outage') {
            return broken(found, { verdictSource, expected: 'no 5xx', actual: status })
          }
          if (kind === 'timed-out' || kind === 'overloaded') return inconclusive(found)
          return held(found, { verdictSource })
        })
      },
    },
  }),
}

/** The answer to a post to a session that an earlier one had ended. */
function findNoRedirect(
  what: string,
  { status, reason, redirectUri }: PostAnswer,
  first: PostAnswer,
): Finding {
  const verdictSource = `response at response_uri: HTTP ${status}`
  const isRefusal = status >= 400 && status < 500 && status !== 429
  if (isRefusal) return held(`${what} was rejected. ${reason}`, { verdictSource })
  if (status !== 200) return inconclusive(reason, { verdictSource })
  if (first.redirectUri === undefined) {
    const unknown = 'Both responses are the same, so it is unknown whether the second post counted.'
    return inconclusive(unknown, { verdictSource })
  }
  return redirectUri === undefined
    ? held(`The response to ${what.toLowerCase()} has no redirect_uri.`, { verdictSource })
    : broken(`The response to ${what.toLowerCase()} redirects like the first one.`, {
        verdictSource,
        expected: 'no redirect_uri',
        actual: redirectUri,
      })
}
