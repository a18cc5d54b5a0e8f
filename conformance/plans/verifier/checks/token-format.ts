import type { CheckLevel, Finding } from '../../../kit/check.ts'
import { defineChecks } from '../../../kit/check.ts'
import type { VerifierContext } from '../context.ts'
import { findEachRefused, findNoneAccepted } from '../presentation-checks.ts'
import {
  addFirst,
  addLast,
  inCredential,
  inPresentation,
  type RawDeviation,
} from '../raw-tokens.ts'

const practice: { readonly level: CheckLevel } = { level: 'practice' }
const other = 'did:org:uc-pre:zAnotherOrganization'

/** Of two members with one name the wrong one decides, unless the token is rejected as a whole. */
const duplicates = {
  credential: [
    { what: 'contains a second, wrong iss', payload: addLast('iss', other) },
    { what: 'contains a second, wrong alg in its header', header: addLast('alg', 'none') },
    {
      what: 'contains a wrong alg in its header before the right one',
      header: addFirst('alg', 'none'),
      ...practice,
    },
    {
      what: 'contains a wrong iss before the right one',
      payload: addFirst('iss', other),
      ...practice,
    },
    {
      what: 'contains a wrong iss, written with an escape, before the right one',
      payload: (json: string) => json.replace(/^\{/, `{"\\u0069ss":"${other}",`),
      ...practice,
    },
    {
      what: 'contains a wrong iss, after an empty list, before the right one',
      payload: (json: string) => addFirst('note', [])(addFirst('iss', other)(json)),
      ...practice,
    },
    ...Object.entries({
      nothing: '',
      'a quotation mark': '5"',
      'only a quotation mark': '"',
      'a backslash': '\\',
      'a backslash and a quotation mark': '\\"',
    }).map(([what, note]) => ({
      what: `contains a wrong iss, after ${what} in a string, before the right one`,
      payload: (json: string) => addFirst('note', note)(addFirst('iss', other)(json)),
      ...practice,
    })),
    {
      what: 'contains a second, wrong id of its subject',
      payload: (json: string) => json.replace('"credentialSubject":{', `$&"id":"${other}",`),
      ...practice,
    },
  ],
  presentation: [
    { what: 'contains a second, wrong nonce', payload: addLast('nonce', 'wrong') },
    {
      what: 'contains a wrong nonce before the right one',
      payload: addFirst('nonce', 'wrong'),
      ...practice,
    },
    {
      what: 'contains a wrong alg in its header before the right one',
      header: addFirst('alg', 'none'),
      ...practice,
    },
  ],
} satisfies TokenDeviations

const extension = 'https://extensions.example/unknown'

/** The payload is encoded anyway. A reader that knows b64 fails to read it, others ignore b64. */
const unencoded: RawDeviation = {
  what: 'declares an unencoded payload with b64',
  header: (json) => addLast('b64', false)(addLast('crit', ['b64'])(json)),
}

const critical = {
  credential: [
    {
      what: 'has an unknown critical extension',
      header: (json: string) => addLast(extension, true)(addLast('crit', [extension])(json)),
    },
    { what: 'has an empty crit', header: addLast('crit', []) },
    { what: 'has a crit that is not a list', header: addLast('crit', 'b64') },
    { what: 'names an extension in crit that the header lacks', header: addLast('crit', ['b64']) },
    unencoded,
  ],
  presentation: [
    {
      what: 'has an unknown critical extension',
      header: (json: string) => addLast(extension, true)(addLast('crit', [extension])(json)),
    },
    unencoded,
  ],
} satisfies TokenDeviations

/** Lengthens the JSON so that base64 needs padding, and a character outside base64url. */
function withRemainder(json: string): string {
  const text = addLast('note', '?????')(json)
  return Buffer.byteLength(text) % 3 === 0 ? `${text} ` : text
}

/** Decoders of single parts do not see it if the text is trimmed before. */
const lineBreakAtEnd: RawDeviation = {
  what: 'ends with a line break',
  fix: 'Reject a JWT that contains white space: do not trim it.',
  afterwards: (token) => `${token}\n`,
  ...practice,
}

const paddingAtEnd: RawDeviation = {
  what: 'has padding after its signature',
  fix: 'Decode the signature as strictly as header and payload: reject =.',
  afterwards: (token) => `${token}==`,
}

const fourthPart: RawDeviation = {
  what: 'has a fourth part',
  fix: 'Split a JWT at its dots, and require exactly three parts.',
  afterwards: (token) => `${token}.AA`,
}

const dotAtEnd: RawDeviation = {
  what: 'ends with a dot',
  fix: 'Require exactly three parts, also if the last one is empty: in Java, split with the limit -1, because split drops empty parts at the end.',
  afterwards: (token) => `${token}.`,
}

const encodings: readonly RawDeviation[] = [
  {
    what: 'is encoded in base64, not base64url',
    fix: 'Decode only A-Z, a-z, 0-9, - and _: reject + and /, which many decoders of base64url read as well.',
    payload: withRemainder,
    encode: (json) => Buffer.from(json).toString('base64').replaceAll('=', ''),
  },
  {
    what: 'is encoded with padding',
    fix: 'Reject a JWT that contains =, before you decode it: in Go, decode with RawURLEncoding.',
    payload: withRemainder,
    encode: (json) =>
      Buffer.from(json).toString('base64').replaceAll('/', '_').replaceAll('+', '-'),
  },
  {
    what: 'contains a line break in its payload',
    fix: 'Reject a JWT that contains white space, before you decode it. Many decoders skip line breaks, also RawURLEncoding in Go.',
    encode: (json) =>
      Buffer.from(json)
        .toString('base64url')
        .replace(/^.{20}/, '$&\n'),
  },
  paddingAtEnd,
  fourthPart,
  dotAtEnd,
  {
    what: 'contains unused bits at the end of its signature',
    fix: 'Require that the unused bits of the last character are zero: in Go, RawURLEncoding.Strict(); elsewhere, encode the decoded bytes again and compare.',
    // 64 bytes leave four bits of the last character unused: A, Q, g and w.
    afterwards: (token) =>
      token.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
    ...practice,
  },
  {
    what: 'contains bytes that are not UTF-8',
    fix: 'Decode header and payload as UTF-8 before you parse them, with a decoder that rejects wrong bytes and does not replace them, such as TextDecoder with fatal: true.',
    payload: addLast('note', '\u00ff'),
    encode: (json) => Buffer.from(json, 'latin1').toString('base64url'),
    ...practice,
  },
  {
    what: 'is encoded in UTF-16',
    fix: 'Decode header and payload as UTF-8 before you parse them: some parsers recognize other encodings, such as json.loads in Python if you give it bytes.',
    encode: (json) => Buffer.from(json, 'utf16le').toString('base64url'),
    ...practice,
  },
  lineBreakAtEnd,
]

const nothingAfter = (part: 'header' | 'payload') =>
  `Require that nothing follows the JSON object of the ${part}: in Go, use json.Unmarshal instead of Decoder.Decode.`

const onlyJson = (more: string) =>
  `Parse header and payload as JSON by RFC 8259, not as JSON5 or JSONC: turn off ${more} in your parser.`

/** Text that parsers accept which stop after the first object, or know more than JSON. */
const textAfterPayload: readonly RawDeviation[] = [
  {
    what: 'contains text after the object in its payload',
    fix: nothingAfter('payload'),
    payload: (json) => `${json}x`,
  },
  {
    what: 'contains a second object in its payload',
    fix: nothingAfter('payload'),
    payload: (json) => `${json}{}`,
  },
]

const lenientJson: TokenDeviations = {
  credential: [
    ...textAfterPayload,
    {
      what: 'contains text after the object in its header',
      fix: nothingAfter('header'),
      header: (json) => `${json}x`,
    },
    {
      what: 'contains a comma after the last member of its payload',
      fix: onlyJson('commas after the last member'),
      payload: (json) => json.replace(/\}$/, ',}'),
    },
    {
      what: 'contains a comment in its payload',
      fix: onlyJson('comments'),
      payload: (json) => `/* note */${json}`,
    },
    {
      what: 'contains a string in single quotation marks in its payload',
      fix: onlyJson('strings in single quotation marks'),
      payload: (json) => json.replace(/^\{/, `{"note":'',`),
    },
    {
      what: 'contains a line break in a string of its payload',
      fix: onlyJson('control characters in strings'),
      payload: (json) => json.replace(/^\{/, '{"note":"\n",'),
    },
    {
      what: 'contains a number with a zero before it in its payload',
      fix: onlyJson('zeros before numbers'),
      payload: (json) => json.replace(/^\{/, '{"note":07,'),
    },
    {
      what: 'contains NaN in its payload',
      fix: 'Reject NaN and Infinity in header and payload: in Python, give json.loads a parse_constant that raises an error.',
      payload: (json) => json.replace(/^\{/, '{"note":NaN,'),
    },
  ],
  presentation: textAfterPayload,
}

/** Writes the name of a required member with a capital letter. */
const capitalize = (name: string): RawDeviation => {
  const written = name.replace(/^./, (letter) => letter.toUpperCase())
  return {
    what: `has ${written} instead of ${name}`,
    payload: (json) => json.replace(`"${name}":`, `"${written}":`),
  }
}

const otherCase = {
  credential: ['vc', 'power', 'employeeId'].map(capitalize),
  presentation: [
    ...['nonce', 'aud', 'vp'].map(capitalize),
    {
      what: 'contains a wrong nonce, and then the right one as Nonce',
      payload: (json: string) =>
        json.replace(/"nonce":("[^"]*")(.*)\}$/s, '"nonce":"wrong"$2,"Nonce":$1}'),
    },
  ],
} satisfies TokenDeviations

/** The form of JWTs, which libraries often parse more leniently than the standards allow. */
export const checks = defineChecks<VerifierContext, Row>(
  {
    'V113-duplicate-members': {
      title: 'A token that contains a member twice is rejected',
      clauses: ['RFC 7515, 4', 'RFC 7519, 4'],
      description:
        'Parsers return the first or the last of two members with one name. If one part of a verifier checks the one and another part uses the other, the check is worthless.',
      fix: 'Reject a JWT whose header or payload contains a name twice, or parse it everywhere with a parser that returns the last one.',
      remark: 'Accepting a token in which the last member is right is a WARN of good practice.',
      tokens: duplicates,
    },
    'V114-critical-extensions': {
      title: 'A token with a critical extension that the verifier does not know is rejected',
      clauses: ['RFC 7515, 4.1.11', 'RFC 7797, 7'],
      description:
        'crit lists extensions that change the meaning of a token. A verifier that ignores it accepts tokens that it does not understand.',
      fix: 'Reject a JWT whose header has crit, unless it is a list of names that you implement and that the header contains.',
      tokens: critical,
    },
    'V115-lenient-encoding': {
      title: 'A token that is not exactly encoded in base64url is rejected',
      clauses: ['RFC 7515, 5.2'],
      description:
        'If a token has several encodings, filters and replay caches that compare its text can be passed by.',
      fix: 'Decode the three parts of a JWT with a decoder that rejects padding, white space, + and / (in Go, RawURLEncoding.Strict() and no line breaks). Reject a token with more than three parts, and JSON that is not UTF-8: some parsers replace wrong bytes.',
      remark:
        'Unused bits, bytes that are not UTF-8, and a line break at the end are a WARN of good practice.',
      tokens: {
        credential: encodings,
        presentation: [
          ...encodings.slice(0, 2),
          paddingAtEnd,
          fourthPart,
          dotAtEnd,
          lineBreakAtEnd,
        ],
      },
    },
    'V145-lenient-json': {
      title: 'A token whose header or payload is not exactly one JSON object is rejected',
      clauses: ['RFC 7519, 7.2'],
      description:
        'Some parsers stop after the first object, such as Decoder.Decode in Go, and some read more than JSON, such as NaN in Python. What one part of a verifier reads, another may not see.',
      fix: 'Parse header and payload with a strict JSON parser, and require that nothing follows the object: in Go, json.Unmarshal instead of Decoder.Decode; in Python, parse_constant that raises an error.',
      tokens: lenientJson,
    },
    'V146-names-in-another-case': {
      title: 'A member whose name differs in its case is not read in place of the right one',
      clauses: ['RFC 7515, 5.3', 'RFC 7519, 7.3'],
      description:
        'Names of members are case-sensitive. Some parsers ignore the case, such as encoding/json in Go for the fields of a struct: they find a nonce where other parts of the system see none.',
      fix: 'Compare names of members exactly. In Go, decode header and payload into map[string]any, not into a struct: encoding/json ignores the case of names there.',
      tokens: otherCase,
    },
  },
  ({ tokens, remark, ...row }) => ({
    ...row,
    level: 'final',
    expectation: 'refuse',
    control: 'presentation',
    sends: describe(tokens),
    decides: `The verifier must reject each credential. It must not accept a presentation: a session that stays open counts as a rejection.${remark ? ` ${remark}` : ''}`,
    run: (context) => findRejected(context, tokens),
  }),
)

interface TokenDeviations {
  readonly credential: readonly RawDeviation[]
  readonly presentation: readonly RawDeviation[]
}

interface Row {
  readonly title: string
  readonly clauses: readonly string[]
  readonly description: string
  readonly fix: string
  readonly remark?: string
  readonly tokens: TokenDeviations
}

function describe({ credential, presentation }: TokenDeviations): string {
  return [...credential.map(inCredential), ...presentation.map(inPresentation)]
    .map(({ what }) => what)
    .join(' ')
}

async function findRejected(
  context: VerifierContext,
  { credential, presentation }: TokenDeviations,
): Promise<Finding> {
  const inside = await findEachRefused(context, credential.map(inCredential))
  if (inside.kind !== 'held') return inside
  const outside = await findNoneAccepted(context, presentation.map(inPresentation))
  return outside.kind === 'held'
    ? { ...inside, reason: `${inside.reason} ${outside.reason}` }
    : outside
}
