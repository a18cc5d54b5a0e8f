import { signJws } from '#core/crypto/jws.ts'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { toIsoTime } from '#core/verification/data-model.ts'
import { type CheckRow, defineChecks } from '../../../kit/check.ts'
import { findShortR, signJwtWith } from '../../../kit/signatures.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import { parentInBody, validVariants } from '../../../world/defects/chain-defects.ts'
import type { Defect, SignDraft } from '../../../world/defects/defect.ts'
import { registerWithDocuments, validDocuments } from '../../../world/defects/document-defects.ts'
import { intactLists, validLists } from '../../../world/defects/list-defects.ts'
import { raiseS } from '../../../world/defects/signature-defects.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { addKey } from '../../../world/key-uses.ts'
import type { OpenTrustWorld } from '../../../world/open-trust-world.ts'
import { publishStatusList, type StatusListOptions } from '../../../world/publish-status-list.ts'
import { registerChain } from '../../../world/register-chain.ts'
import { registerBelow, registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import {
  documentFix,
  escapedTexts,
  otherSuites,
  signatureFixes,
} from '../counterparts/unusual-values.ts'
import { findEachKept } from '../findings/issuance-findings.ts'

/** A valid credential that looks unusual, and which a wallet must keep. */
interface UnusualCredential extends Pick<Defect, 'change' | 'sign' | 'afterwards'> {
  /** As text after `a credential`. */
  readonly what: string
  /** What to change in a wallet that rejects it, if that is not the fix of the check. */
  readonly fix?: string | undefined
  readonly issuer?: Party
  readonly status?: StatusListOptions
}

interface UnusualCredentials
  extends Pick<
    CheckRow<WalletContext>,
    'title' | 'level' | 'clauses' | 'description' | 'sends' | 'fix'
  > {
  readonly credentials: (
    trust: OpenTrustWorld,
  ) => readonly UnusualCredential[] | Promise<readonly UnusualCredential[]>
}

const ignoreUnknown =
  'Ignore unknown members at each level of the credential. Search for repeated names with a JSON parser, not in the text.'

const oneEnd =
  'Accept a credential that ends with validUntil or with exp: do not require both. If it has both, compare both with the current time.'

const readTimes =
  'Accept fractions of a second in exp, nbf and iat, and fractions and an offset such as +02:00 in validFrom and validUntil. Compare times as numbers, not as text.'

const unlimited =
  'Do not limit the number of powers or the size of a credential to what one issuer sends.'

const loop =
  'Follow attribute.tao in a loop until issuerType is RTAO, for at least eight accreditations, not for a fixed number of steps.'

export const checks = defineChecks<WalletContext, UnusualCredentials>(
  {
    'W120-unusual-credentials': {
      title: 'A valid credential of an unusual form is kept',
      level: 'final',
      clauses: [
        'RFC 7519, 4',
        'RFC 8812, 3.2',
        'W3C VC Data Model 2.0, 4.7',
        'W3C VC Data Model 2.0, 5.5',
      ],
      description:
        'Issuers use other libraries. A wallet that expects exactly one form rejects valid mandates.',
      sends:
        'Credentials whose issuer is an object, whose termsOfUse is a list, without typ in the header, with unknown members, with additional contexts, with types in another order, with a high s or a short r in the signature, with 20 powers or more than 16,000 characters, and with only one of exp and validUntil.',
      fix: 'Accept issuer as a string or as an object with id, termsOfUse as an object or array, both values of s, r with zeros at its beginning, and times with an offset. Ignore unknown members and the order of types. Treat typ, nbf, validFrom and one of exp and validUntil as optional.',
      credentials: async () => [
        {
          what: 'whose issuer is an object',
          fix: 'Read vc.issuer as a string, or as an object with the DID as its id. Compare that DID with iss.',
          change: ({ issuer }) => ({ vc: { issuer: { id: issuer.did, name: 'The issuer' } } }),
        },
        {
          what: 'whose termsOfUse is a list',
          fix: 'Read vc.termsOfUse as an object or as an array. In an array, use the element whose id is an address of your TIR.',
          change: ({ issuer, tirBaseUrl }) => ({
            vc: {
              termsOfUse: [
                { id: 'https://example.org/policy', type: 'IssuerPolicy' },
                {
                  id: createTermsOfUseUrl(tirBaseUrl, issuer),
                  type: 'TrustedIssuersRegistryEntry',
                },
              ],
            },
          }),
        },
        {
          what: 'without typ in its header',
          fix: 'Treat typ in the header of a credential as optional.',
          change: () => ({ header: { typ: undefined } }),
        },
        {
          what: 'with unknown members',
          fix: ignoreUnknown,
          change: () => ({
            header: { 'x-unknown': true },
            claims: { x_list: [1, { deep: true }] },
            vc: { x_object: { a: null } },
            subject: { x_number: 7 },
            mandate: { x_text: 'text' },
          }),
        },
        {
          what: 'whose unknown members have equal names, and texts with quotation marks and braces',
          fix: ignoreUnknown,
          change: () => ({ claims: { x_tree: tree }, header: { x_tree: tree } }),
        },
        {
          what: 'with texts that look like JSON',
          fix: ignoreUnknown,
          change: () => ({ claims: { x_texts: jsonTexts } }),
        },
        {
          what: 'with escaped quotation marks and backslashes in texts and names',
          fix: ignoreUnknown,
          change: () => ({ claims: { x_texts: escapedTexts }, header: { x_texts: escapedTexts } }),
        },
        {
          what: 'with a second context',
          fix: 'Compare only the first element of vc.@context, and accept others after it.',
          change: () => ({
            vc: {
              '@context': ['https://www.w3.org/ns/credentials/v2', 'https://example.org/context'],
            },
          }),
        },
        {
          what: 'whose types are in another order',
          fix: 'Look for the required types in vc.type, in any order.',
          change: ({ type, inheritedTypes }) => ({
            vc: { type: [type, ...inheritedTypes.toReversed()] },
          }),
        },
        { what: 'whose signature has a high s', fix: signatureFixes.highS, afterwards: raiseS },
        {
          what: 'whose signature has an r that begins with a zero byte',
          fix: signatureFixes.shortR,
          sign: signJwtWith(await findShortR()),
        },
        {
          what: 'without validUntil',
          fix: oneEnd,
          change: () => ({ vc: { validUntil: undefined } }),
        },
        { what: 'without exp', fix: oneEnd, change: () => ({ claims: { exp: undefined } }) },
        {
          what: 'without nbf and validFrom',
          fix: 'Treat nbf and validFrom as optional: compare them with the current time only if they are present.',
          change: () => ({ claims: { nbf: undefined }, vc: { validFrom: undefined } }),
        },
        {
          what: 'that has been valid since 1970',
          fix: 'Accept 0 as a time: check whether nbf is undefined, not whether it is true.',
          change: () => ({ claims: { nbf: 0 }, vc: { validFrom: toIsoTime(0) } }),
        },
        {
          what: 'without sub',
          fix: 'Treat sub as optional: credentialSubject.id names the holder.',
          change: () => ({ claims: { sub: undefined } }),
        },
        {
          what: 'with fractions of a second in its times',
          fix: readTimes,
          change: ({ now }) => ({
            claims: { iat: now - 0.5, nbf: now - 0.5, exp: now + 3600.5 },
            vc: { validFrom: toIsoTime(now - 60).replace('Z', '.123Z') },
          }),
        },
        {
          what: 'whose validUntil has an offset',
          fix: readTimes,
          change: ({ now }) => ({
            vc: { validUntil: toIsoTime(now - 1800).replace('Z', '-01:00') },
          }),
        },
        {
          what: 'that ends in a minute',
          fix: 'Accept a credential until its end: do not require that it is valid for much longer.',
          change: ({ now }) => ({
            claims: { exp: now + 60 },
            vc: { validUntil: toIsoTime(now + 60) },
          }),
        },
        {
          what: 'with several powers',
          fix: unlimited,
          change: () => ({ mandate: { power: [{ type: 'domain' }, { type: 'organization' }] } }),
        },
        {
          what: 'with 20 powers',
          fix: unlimited,
          change: () => ({
            mandate: {
              power: Array.from({ length: 20 }, (_, index) => ({ function: `F${index}` })),
            },
          }),
        },
        {
          what: 'of more than 16,000 characters',
          fix: unlimited,
          change: () => ({ claims: { x_text: 'x'.repeat(12_000) } }),
        },
        ...['x'.repeat(256), ' EMP 1', 'Ñandú-1'].map((employeeId) => ({
          what: `with the employeeId ${employeeId.slice(0, 8)}`,
          fix: 'Accept every employeeId of 1 to 256 printable characters, with spaces and letters of other scripts, unless it has only spaces.',
          change: () => ({ mandate: { mandatee: { employeeId } } }),
        })),
      ],
    },
    'W121-unusual-issuers': {
      title: 'A credential of an unusual but valid issuer is kept',
      level: 'practice',
      description:
        'Organizations differ in keys, clocks and in how many TAOs are between them and the root. A wallet that supports only the usual issuer locks out their holders.',
      sends:
        'Credentials of issuers with a P-256 or Ed25519 key, with a clock that is 30 seconds fast, below two and below six TAOs, whose TAO is named only in the accreditation, and with other optional and additional members in accreditation, TIR and DID document.',
      fix: 'Support ES256 and EdDSA with registered P-256 and Ed25519 keys, accept a clock that is a minute fast, and follow attribute.tao in a loop up to the root, for at least eight accreditations.',
      credentials: (trust) => {
        const { world } = trust
        return [
          ...otherSuites.map(({ curve, alg, fix }) => ({
            what: `that is signed with a ${curve} key`,
            fix,
            issuer: addKey(world, registerIssuer(world), { curve }),
            sign: ((header, payload, privateKey) =>
              signJws({ header: { ...header, alg }, payload, privateKey })) satisfies SignDraft,
          })),
          {
            what: 'of an issuer whose clock is 30 seconds fast',
            fix: 'Accept a credential whose iat, nbf and validFrom are up to a minute in the future: set the clock tolerance of your JWT library.',
            change: () => {
              const time = Math.floor(Date.now() / 1000) + 30
              return { claims: { iat: time, nbf: time }, vc: { validFrom: toIsoTime(time) } }
            },
          },
          { what: 'of an issuer below two TAOs', fix: loop, issuer: registerBelow(world, 2) },
          { what: 'of an issuer below six TAOs', fix: loop, issuer: registerBelow(world, 6) },
          {
            what: 'of an issuer whose accreditation names its TAO only in its body',
            fix: 'Find the accreditation of the TAO with attributeIdTao of the TIR response. If it is missing, use termsOfUse.id in attribute.body.',
            issuer: registerChain(world, 'issuer', parentInBody),
          },
          {
            what: 'of an issuer that the root accredited',
            fix: 'Accept an issuer whose attribute.tao is the root: a TAO between them is not required.',
            issuer: registerIssuer(world, { parent: world.root }),
          },
          ...(['issuer', 'TAO'] as const).flatMap((whose) =>
            validVariants.map((variant) => ({
              what: `where the accreditation of the ${whose} ${variant.what}`,
              fix: variant.fix,
              issuer: registerChain(world, whose, variant),
            })),
          ),
          ...registerWithDocuments(trust, validDocuments).map(({ does, party }) => ({
            what: `of an issuer whose DID document ${does}`,
            fix: documentFix,
            issuer: party,
          })),
          {
            what: 'of an issuer whose attribute is written with 0x and in capitals',
            fix: 'Compare reservedAttributeId with the attributeId as hexadecimal numbers: regardless of case, and with or without 0x.',
            issuer: registerChain(world, 'issuer', {
              payload: ({ payload, subject }) =>
                withSubject(payload, {
                  reservedAttributeId: `0x${subject.attributeId.toUpperCase()}`,
                }),
            }),
          },
        ]
      },
    },
    'W122-unrevoked-credentials': {
      title: 'A credential whose bit in the status list is not set is kept',
      level: 'practice',
      description:
        'A status list has one bit for each credential. A wallet that reads the bits in another order, or only the first ones, treats valid credentials as revoked.',
      sends:
        'Credentials at several indexes of status lists in which all indexes near them are revoked, with a StatusList2021Entry, and with lists that have other times, optional members, purposes, lengths or suites.',
      fix: 'Decompress encodedList, and read the bit at statusListIndex counted from the left, so that index 0 is the highest bit of the first byte. Accept an array in statusPurpose of the list, and an index as text or number. Keep the credential if the bit is 0.',
      credentials: () => [
        ...[0, 7, 8, 131_071].map((index) => ({
          what: `at index ${index} among revoked ones`,
          status: { index, revoked: indexesAround(index).filter((each) => each !== index) },
        })),
        {
          what: 'with a StatusList2021Entry',
          fix: 'Accept the types BitstringStatusListEntry and StatusList2021Entry in credentialStatus.',
          status: { type: 'StatusList2021Entry' as const },
        },
        ...Object.entries(intactLists).map(([what, status]) => ({
          what: `with this status: ${what.replace(/\.$/, '')}`,
          status,
        })),
        ...Object.entries(validLists).map(([what, status]) => ({
          what: `with this status: ${what.replace(/\.$/, '')}`,
          fix: 'Require in a status list only iss, its id, its type, and a subject with type, statusPurpose and encodedList. Compare the times that it has, and read as many entries as it contains.',
          status,
        })),
        {
          what: 'whose status list is signed with ES256',
          fix: otherSuites[0].fix,
          status: {
            signer: (world: TrustWorld) => addKey(world, world.issuer, { curve: 'P-256' }),
            header: { alg: 'ES256' },
          },
        },
      ],
    },
  },
  ({ credentials, ...texts }) => ({
    expectation: 'accept',
    control: 'offers',
    decides: 'The kit must deliver each credential, and the wallet must report it.',
    timeLimitMilliseconds: 120_000,
    ...texts,
    async run(context) {
      const { world } = context.trust
      const unusual = await credentials(context.trust)
      return findEachKept(
        context,
        unusual.map(({ what, fix, issuer, status, ...defect }) => ({
          what,
          fix,
          behaviour: {
            credential: ({ holderDid, now, credentialIssuer }) =>
              issueCredential(world, {
                holderDid,
                now,
                credentialIssuerUrl: credentialIssuer,
                ...(issuer && { issuer }),
                defect: {
                  name: 'unusual',
                  description: what,
                  ...defect,
                  ...(status && { change: () => statusIn(world, credentialIssuer, status) }),
                },
              }),
          },
        })),
      )
    },
  }),
)

/** A parser that looks for repeated names by itself must not find any here. */
const tree = {
  a: { x: 1, y: [{ x: 1 }, { x: 2 }, 'x', 'x', ''] },
  x: '{"a": 1, "a": 2} \\"',
  'a"': [[], {}, [{ a: { a: { a: '\\' } } }]],
  y: { x: 1 },
}

/** Their quotation marks, braces and brackets are part of the text. */
const jsonTexts = {
  quoted: '","x","x","',
  members: '{"x":1,"x":2',
  opening: '['.repeat(40),
  closing: '}'.repeat(40),
  backslash: '\\',
  name: ',"x"',
}

/** The sixteen indexes of two bytes. */
const indexesAround = (index: number) => {
  const first = Math.min(Math.floor(index / 8) * 8, 131_056)
  return Array.from({ length: 16 }, (_, position) => first + position)
}

/** An accreditation with other members of its subject. */
function withSubject(
  payload: ReturnType<TrustWorld['accreditationOf']>,
  subject: object,
): typeof payload {
  const { vc } = payload
  return {
    ...payload,
    vc: { ...vc, credentialSubject: { ...vc.credentialSubject, ...subject } },
  }
}

const statusIn = (world: TrustWorld, credentialIssuer: string, status: StatusListOptions) => ({
  vc: {
    credentialStatus: publishStatusList(world, {
      url: `${credentialIssuer}/status-lists/1`,
      ...status,
    }),
  },
})
