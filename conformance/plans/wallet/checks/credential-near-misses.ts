import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createPrivateJwk, type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { createSignature, signJws } from '#core/crypto/jws.ts'
import { decodePercent } from '#core/text/decode-percent.ts'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { credentialsContext, toIsoTime } from '#core/verification/data-model.ts'
import { broken, type CheckRow, defineChecks } from '../../../kit/check.ts'
import { closestMisses, otherTypes, untrimmedMisses } from '../../../kit/near-misses.ts'
import { breakSignature, certificateOfJwk } from '../../../kit/signatures.ts'
import type { TrustWorld } from '../../../world/create-trust-world.ts'
import type { Defect, SignDraft } from '../../../world/defects/defect.ts'
import { forgedForms, otherEncodings } from '../../../world/defects/signature-defects.ts'
import { accreditSimilar, registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import { findNoneKept } from '../findings/issuance-findings.ts'

type Change = NonNullable<Defect['change']>
type DefectWorld = Parameters<Change>[0]

/** A credential in which one value almost fits, and which a wallet must not keep. */
interface AlmostValid extends Pick<Defect, 'change' | 'sign' | 'afterwards'> {
  /** As text after `a credential`. */
  readonly wrong: string
}

interface AlmostValidCredentials
  extends Pick<CheckRow<WalletContext>, 'title' | 'description' | 'sends' | 'fix'>,
    Partial<Pick<CheckRow<WalletContext>, 'expectation' | 'decides'>> {
  readonly credentials: (world: TrustWorld) => readonly AlmostValid[]
  /** Requests to the registries that a wallet must not send, by their path. */
  readonly unwanted?: RegExp
}

export const checks = defineChecks<WalletContext, AlmostValidCredentials>(
  {
    'W115-signer-near-misses': {
      title: 'A credential whose signer is almost its issuer is not kept',
      description:
        'Each accredited issuer has a registered key. A wallet that compares the DIDs loosely accepts what one issuer signs in the name of another.',
      sends:
        'Credentials whose iss, vc.issuer or kid is missing, slightly different or of another type, that name a similar DID that is accredited too, that another accredited issuer signed, whose alg is not that of the key, that contain their own key or its certificate, that have an unknown critical extension, whose signature is empty, consists of zeros, has a byte more or less, a line break or is in ASN.1 DER, that are not signed, or have a MAC.',
      fix: "Compare iss, vc.issuer and the DID in kid character by character. Verify only with the key in kid from that DID's document and with the algorithm of that key. Ignore jwk and x5c. Otherwise discard it.",
      credentials: (world) => {
        const other = registerIssuer(world)
        return [
          {
            wrong: 'that another accredited issuer signed under its own kid',
            sign: (header, payload) =>
              signJws({
                header: { ...header, kid: other.kid },
                payload,
                privateKey: other.privateKey,
              }),
          },
          {
            wrong: 'that another accredited issuer signed under the kid of the issuer',
            sign: (header, payload) => signJws({ header, payload, privateKey: other.privateKey }),
          },
          ...closestMisses.map(({ what, change }) => ({
            wrong: `whose iss and vc.issuer ${plural(what)}`,
            change: ({ issuer: { did } }: DefectWorld) => ({
              claims: { iss: change(did) },
              vc: { issuer: change(did) },
            }),
          })),
          ...accreditSimilar(world, world.issuer).map(({ what, change }) => ({
            wrong: `whose iss, vc.issuer and termsOfUse name an accredited DID that ${what}`,
            change,
          })),
          ...[...closestMisses, ...untrimmedMisses, ...otherTypes].map(({ what, change }) => ({
            wrong: `whose vc.issuer ${what}`,
            change: ({ issuer: { did } }: DefectWorld) => ({ vc: { issuer: change(did) } }),
          })),
          ...closestMisses.map(({ what, change }) => ({
            wrong: `whose kid ${what}`,
            change: () => ({ header: { kid: change(world.issuer.kid) } }),
          })),
          {
            wrong: 'whose vc.issuer is an object with another id',
            change: ({ tao }) => ({ vc: { issuer: { id: tao.did } } }),
          },
          { wrong: 'without vc.issuer', change: () => ({ vc: { issuer: undefined } }) },
          { wrong: 'without iss', change: () => ({ claims: { iss: undefined } }) },
          { wrong: 'without kid', change: () => ({ header: { kid: undefined } }) },
          {
            wrong: 'whose kid has no fragment',
            change: ({ issuer: { did } }) => ({ header: { kid: did } }),
          },
          {
            wrong: 'whose kid is a list',
            change: () => ({ header: { kid: [world.issuer.kid] } }),
          },
          ...[undefined, 'ES256', 'EdDSA', 'es256k'].map((alg) => ({
            wrong: `with ${alg === undefined ? 'no alg' : `alg ${alg}`} and a signature with ES256K`,
            sign: signUnder(alg),
          })),
          {
            wrong: 'that contains the key that signed it',
            sign: (header, payload) => {
              const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
              const jwk = publicJwkOf(privateKey)
              return signJws({ header: { ...header, jwk }, payload, privateKey })
            },
          },
          {
            wrong: 'that contains the certificate of the key that signed it',
            sign: (header, payload) => {
              const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
              const x5c = [certificateOfJwk(privateKey)]
              return signJws({ header: { ...header, x5c }, payload, privateKey })
            },
          },
          {
            wrong: 'that has an unknown critical extension',
            change: () => ({ header: { crit: ['x-unknown'], 'x-unknown': true } }),
          },
          { wrong: 'with a line break in its signature', afterwards: breakSignature },
          ...Object.entries(otherEncodings).map(([what, afterwards]) => ({
            wrong: `that ${what}`,
            afterwards,
          })),
          ...Object.entries(forgedForms).map(([what, sign]) => ({
            wrong: `that ${what}`,
            sign,
          })),
        ]
      },
    },
    'W116-times-near-misses': {
      title:
        'A credential that ended seconds ago, begins in minutes or has invalid times is not kept',
      description:
        'A wallet that compares only dates, or converts types, keeps credentials that every verifier rejects.',
      sends:
        'Credentials whose exp, validUntil, nbf, validFrom or iat is not a time, and credentials that ended a few seconds ago, or begin in ten minutes.',
      fix: 'Require numbers of seconds in exp, nbf and iat, and times with a time zone in validUntil and validFrom. Compare all of them with the current time, to the second. Otherwise discard the credential.',
      credentials: () => [
        ...['exp', 'nbf', 'iat'].flatMap((name) =>
          notNumbers.map(({ what, change }) => ({
            wrong: `whose ${name} ${what}`,
            change: ({ now }: DefectWorld) => ({
              claims: { [name]: change(name === 'exp' ? now + 3600 : now - 60) },
            }),
          })),
        ),
        ...['validUntil', 'validFrom'].flatMap((name) =>
          notTimes.map(({ what, change }) => ({
            wrong: `whose ${name} ${what}`,
            change: ({ now }: DefectWorld) => ({
              vc: { [name]: change(name === 'validUntil' ? now + 3600 : now - 60) },
            }),
          })),
        ),
        {
          wrong: 'whose exp is a number without an end',
          sign: (header, payload, privateKey) =>
            signTexts(
              [header, payload].map((part) =>
                JSON.stringify(part).replace(/"exp":\d+/, '"exp":1e999'),
              ),
              privateKey,
            ),
        },
        { wrong: 'whose exp is now', change: () => ({ claims: { exp: unixTime() } }) },
        {
          wrong: 'whose validUntil was two seconds ago',
          change: () => ({ vc: { validUntil: toIsoTime(unixTime() - 2) } }),
        },
        {
          wrong: 'whose validUntil was half an hour ago, with an offset',
          change: () => ({
            vc: { validUntil: toIsoTime(unixTime() + 1800).replace('Z', '+01:00') },
          }),
        },
        { wrong: 'whose nbf is in ten minutes', change: () => ({ claims: { nbf: ahead() } }) },
        {
          wrong: 'whose validFrom is in ten minutes',
          change: () => ({ vc: { validFrom: toIsoTime(ahead()) } }),
        },
        { wrong: 'whose iat is in ten minutes', change: () => ({ claims: { iat: ahead() } }) },
        {
          wrong: 'without validUntil whose exp was an hour ago, in milliseconds',
          change: () => ({
            claims: { exp: (unixTime() - 3600) * 1000 },
            vc: { validUntil: undefined },
          }),
        },
      ],
    },
    'W117-holder-near-misses': {
      title: 'A credential whose subject is almost the holder is not kept',
      description:
        'The holder could never present it. A wallet that compares loosely stores mandates of other people.',
      sends:
        'Credentials whose credentialSubject.id, sub or both are similar to the DID of the holder, or of another type.',
      fix: 'Compare credentialSubject.id, and sub if present, with the DID that signed the proof, character by character. Discard the credential if one differs.',
      credentials: () => [
        ...[...closestMisses, ...untrimmedMisses].map(({ what, change }) => ({
          wrong: `whose sub and credentialSubject.id ${plural(what)}`,
          change: ({ holderDid }: DefectWorld) => ({
            claims: { sub: change(holderDid) },
            subject: { id: change(holderDid) },
          }),
        })),
        ...[...closestMisses.slice(0, 1), ...otherTypes].flatMap(({ what, change }) => [
          {
            wrong: `whose sub ${what}`,
            change: ({ holderDid }: DefectWorld) => ({ claims: { sub: change(holderDid) } }),
          },
          {
            wrong: `whose credentialSubject.id ${what}`,
            change: ({ holderDid }: DefectWorld) => ({ subject: { id: change(holderDid) } }),
          },
        ]),
      ],
    },
    'W118-content-near-misses': {
      title: 'A credential whose content is almost valid is not kept',
      description:
        'Verifiers reject it. The wallet is the last place where the problem can be corrected.',
      sends:
        'Credentials whose @context, type, employeeId, power or vc is similar to the required value, and in which each member that the rules read is of another type.',
      fix: 'Compare the first @context and the types exactly. Require arrays in @context, type and power, objects in vc and in its other members, and 1 to 256 printable characters, not only spaces, in employeeId. Otherwise discard the credential.',
      credentials: () => [
        ...[...closestMisses, ...otherTypes].map(({ what, change }) => ({
          wrong: `whose first @context ${what}`,
          change: () => ({ vc: { '@context': [change(credentialsContext)] } }),
        })),
        {
          wrong: 'whose @context is a string',
          change: () => ({ vc: { '@context': credentialsContext } }),
        },
        ...closestMisses.map(({ what, change }) => ({
          wrong: `whose own type ${what}`,
          change: ({ type, inheritedTypes }: DefectWorld) => ({
            vc: { type: [...inheritedTypes, change(type)] },
          }),
        })),
        ...closestMisses.map(({ what, change }) => ({
          wrong: `whose inherited type ${what}`,
          change: ({ type, inheritedTypes: [first = '', second = ''] }: DefectWorld) => ({
            vc: { type: [first, change(second), type] },
          }),
        })),
        { wrong: 'whose type is a string', change: ({ type }) => ({ vc: { type } }) },
        { wrong: 'without types', change: () => ({ vc: { type: undefined } }) },
        ...[' ', 'x'.repeat(257), 'EMP\u0000-1', 7, ['EMP-1']].map((employeeId) => ({
          wrong: `whose employeeId is ${describeText(employeeId)}`,
          change: () => ({ mandate: { mandatee: { employeeId } } }),
        })),
        { wrong: 'whose power is an object', change: () => ({ mandate: { power: { 0: {} } } }) },
        ...Object.entries(members).flatMap(([name, change]) =>
          otherValues.map((value) => ({
            wrong: `whose ${name} is ${JSON.stringify(value)}`,
            change: () => change(value),
          })),
        ),
        { wrong: 'whose mandate is missing', change: () => ({ subject: { mandate: undefined } }) },
        ...[null, 'vc', []].map((vc) => ({
          wrong: `whose vc is ${JSON.stringify(vc)}`,
          change: () => ({ claims: { vc } }),
        })),
      ],
    },
    'W119-accreditation-address-near-misses': {
      title: 'A credential whose termsOfUse almost points to the TIR is not kept',
      description:
        'The credential names the place of the accreditation. A wallet that follows any address asks the attacker whether to trust the attacker.',
      sends:
        'Credentials whose termsOfUse.id has another scheme, host, port, path, query, DID or attribute than the accreditation in the TIR, is that of a similar DID, or is not a string.',
      fix: 'Read only the DID and the attributeId from termsOfUse.id, require its first part to be the address of your TIR, and build the address yourself. Compare the DID with iss exactly. Otherwise discard the credential.',
      credentials: (world) => [
        ...Object.entries(wrongAddresses).map(([what, change]) => ({
          wrong: `whose termsOfUse.id ${what}`,
          change: (world: DefectWorld) => termsOfUse({ id: change(addressIn(world)) }),
        })),
        ...accreditSimilar(world, world.issuer).map(({ what, url }) => ({
          wrong: `whose termsOfUse.id is that of an accredited DID that ${what}`,
          change: () => termsOfUse({ id: url }),
        })),
        ...[null, '', 7].map((id) => ({
          wrong: `whose termsOfUse.id is ${JSON.stringify(id)}`,
          change: () => termsOfUse({ id }),
        })),
        {
          wrong: 'whose termsOfUse is a string',
          change: (world) => ({ vc: { termsOfUse: addressIn(world) } }),
        },
        { wrong: 'whose termsOfUse is an empty list', change: () => ({ vc: { termsOfUse: [] } }) },
      ],
    },
    'W154-accreditation-address-elsewhere': {
      title: 'No request is sent to an address in termsOfUse outside of the TIR',
      expectation: 'advice',
      description:
        'An address can begin like the TIR and still lead elsewhere: clients read a backslash like a slash. A DID of another environment is never in this TIR.',
      sends:
        'Credentials whose termsOfUse.id begins with the address of the TIR and leads out of it by backslashes and dots before or after its DID, or has a DID of another environment.',
      decides:
        'The wallet must not send a request to the other address or about the other DID, and must reject each credential.',
      fix: 'Accept only a DID of your environment in termsOfUse.id: its prefix, z and up to 63 characters in base58. Compare the whole segment with it before you send a request. Otherwise discard the credential.',
      unwanted: /^\/elsewhere\/|\/did:org:uc:/,
      credentials: () =>
        Object.entries(elsewhere).map(([what, change]) => ({
          wrong: `whose termsOfUse.id ${what}`,
          change: (world: DefectWorld) => termsOfUse({ id: change(addressIn(world)) }),
        })),
    },
  },
  ({ credentials, unwanted, ...texts }) => ({
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    decides: 'The wallet must report a rejection of each credential, and must not list any.',
    timeLimitMilliseconds: 120_000,
    ...texts,
    async run(context) {
      const finding = await findNoneKept(
        context,
        credentials(context.trust.world).map(({ wrong, ...defect }) => ({
          wrong,
          behaviour: { defect: { name: 'near-miss', description: wrong, ...defect } },
        })),
      )
      const sent = context.trust.asked.find((path) => unwanted?.test(decodePercent(path) ?? path))
      if (sent === undefined) return finding
      const verdictSource = 'requests to the registries'
      return broken(`The wallet requested ${sent}.`, { verdictSource })
    },
  }),
)

const otherValues = [null, 7, 'text', [], [null], {}]

/** The members that the rules read. None of them may be one of these values. */
const members: Readonly<Record<string, (value: unknown) => ReturnType<Change>>> = {
  credentialSubject: (value) => ({ vc: { credentialSubject: value } }),
  mandate: (value) => ({ subject: { mandate: value } }),
  mandatee: (value) => ({ mandate: { mandatee: value } }),
  issuer: (value) => ({ vc: { issuer: value } }),
  'issuer.id': (value) => ({ vc: { issuer: { id: value } } }),
  termsOfUse: (value) => ({ vc: { termsOfUse: value } }),
  '@context': (value) => ({ vc: { '@context': value } }),
  type: (value) => ({ vc: { type: value } }),
  credentialStatus: (value) => ({ vc: { credentialStatus: value } }),
}

const plural = (what: string) => what.replace(/^has /, 'have ').replace(/^lacks its/, 'lack their')

const unixTime = () => Math.floor(Date.now() / 1000)
const ahead = () => unixTime() + 600

/** Signs a header and a payload, as JSON texts, with ES256K. */
function signTexts(texts: readonly string[], privateKey: PrivateJwk): string {
  const parts = texts.map((text) => encodeBase64url(text))
  const signature = createSignature('ES256K', privateKey, Buffer.from(parts.join('.')))
  return [...parts, encodeBase64url(signature)].join('.')
}

/** Signs with ES256K, regardless of the alg in the header. */
const signUnder =
  (alg: string | undefined): SignDraft =>
  (header, payload, privateKey) => {
    return signTexts(
      [{ ...header, alg }, payload].map((part) => JSON.stringify(part)),
      privateKey,
    )
  }

const notNumbers: readonly { what: string; change: (time: number) => unknown }[] = [
  { what: 'is a string of digits', change: String },
  { what: 'is an ISO time', change: toIsoTime },
  { what: 'is null', change: () => null },
]

const notTimes: readonly { what: string; change: (time: number) => unknown }[] = [
  { what: 'is a number', change: (time) => time },
  { what: 'has no time zone', change: (time) => toIsoTime(time).replace('Z', '') },
  { what: 'is a day that does not exist', change: () => '2030-02-30T00:00:00Z' },
  {
    what: 'is an hour that does not exist',
    change: (time) => toIsoTime(time).replace(/T\d\d/, 'T25'),
  },
  {
    what: 'is a day with a time in a comment',
    change: (time) => toIsoTime(time).replace(/^(.*)T.*/, '$1 ($&'),
  },
  { what: 'ends with a NUL', change: (time) => `${toIsoTime(time)}\0` },
  { what: 'is null', change: () => null },
]

/** The path of the TIR has three segments before the DID. */
const elsewhere: typeof wrongAddresses = {
  'leads out of the TIR after its DID': (address) =>
    address.replace(/(did:[^/]+)/, '$1\\..\\..\\..\\..\\elsewhere'),
  'leads out of the TIR before its DID': (address) =>
    address.replace('did:', '..\\..\\..\\elsewhere\\did:'),
  'has the DID of another environment': (address) =>
    address.replace('did:org:uc-pre:', 'did:org:uc:'),
}

const termsOfUse = (members: object) => ({
  vc: { termsOfUse: { type: 'TrustedIssuersRegistryEntry', ...members } },
})

const addressIn = ({ tirBaseUrl, issuer }: DefectWorld) => createTermsOfUseUrl(tirBaseUrl, issuer)

const wrongAddresses: Readonly<Record<string, (address: string) => string>> = {
  'has a query': (address) => `${address}?x=1`,
  'has a fragment': (address) => `${address}#x`,
  'has a slash at its end': (address) => `${address}/`,
  'has one more character at its end': (address) => `${address}0`,
  'lacks its last character': (address) => address.slice(0, -1),
  'has a different last character': (address) =>
    `${address.slice(0, -1)}${address.endsWith('0') ? '1' : '0'}`,
  'has another host that begins like the TIR': (address) =>
    address.replace(/^(https?:\/\/[^/]+)/, '$1.attacker.example'),
  'has the TIR as its user name': (address) =>
    address.replace(/^(https?:\/\/)([^/]+)/, '$1$2@attacker.example'),
  'has another character in its host': (address) =>
    address.replace(/^(https?:\/\/.)./, (_, start: string) => `${start}~`),
  'has another scheme': (address) =>
    address.replace(/^https?/, (scheme) => (scheme === 'https' ? 'http' : 'https')),
  'has another path': (address) => address.replace('/v1/issuers/', '/v2/issuers/'),
  'has one more segment before its DID': (address) =>
    address.replace('/v1/issuers/', '/v1/issuers/x/'),
  'names an issuer that is not a DID': (address) =>
    address.replace(/issuers\/[^/]+/, 'issuers/an-issuer'),
  'has dot segments': (address) => address.replace('/v1/', '/v1/../v1/'),
  'has a space before it': (address) => ` ${address}`,
}

/** A value as JSON, or the length of a long string. */
const describeText = (value: unknown) =>
  typeof value === 'string' && value.length > 20
    ? `a string of ${value.length} characters`
    : JSON.stringify(value)
