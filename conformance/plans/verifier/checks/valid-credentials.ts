import { setImmediate } from 'node:timers/promises'
import { encodeJson } from '#core/crypto/base64url.ts'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import { setBody } from '#wallet-emulator/faults/change-call.ts'
import {
  changeMembers,
  secondsFromNow,
  setMembers,
  setPayload,
} from '#wallet-emulator/faults/change-jws.ts'
import type { FaultContext } from '#wallet-emulator/faults/wallet-fault.ts'
import { type Account, createAccount } from '#wallet-emulator/keys/create-account.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import { validVariants } from '../../../world/defects/chain-defects.ts'
import type { CredentialChange } from '../../../world/defects/defect.ts'
import { validLists } from '../../../world/defects/list-defects.ts'
import { addKey } from '../../../world/key-uses.ts'
import { publishStatusList } from '../../../world/publish-status-list.ts'
import { registerChain } from '../../../world/register-chain.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import { about, acceptances, withChange, withDefect, withStatus } from '../presentation-checks.ts'
import { isOdd, isShort } from '../usual-account.ts'

const { mandatee, mandator, power } = mandate

const withId = (employeeId: string): CredentialChange => ({
  mandate: { mandatee: { ...mandatee, employeeId } },
})

type CreateChange = (own: {
  readonly type: string
  readonly inheritedTypes: readonly string[]
}) => CredentialChange

const validCredentials: Readonly<Record<string, CreateChange>> = {
  'It has no sub, jti, nbf and validFrom.': () => ({
    claims: { sub: undefined, jti: undefined, nbf: undefined },
    vc: { validFrom: undefined },
  }),
  'It has no typ in its header.': () => ({ header: { typ: undefined } }),
  'It ends only with exp.': () => ({ vc: { validUntil: undefined } }),
  'It ends only with validUntil.': () => ({ claims: { exp: undefined } }),
  'It has a second @context.': () => ({
    vc: { '@context': ['https://www.w3.org/ns/credentials/v2', 'https://contexts.example/v1'] },
  }),
  'Its types are in another order.': ({ type, inheritedTypes }) => ({
    vc: { type: [type, ...inheritedTypes] },
  }),
  'It has two powers.': () => ({
    mandate: {
      power: [...power, { type: 'domain', domain: 'Org', function: 'Other', action: ['read'] }],
    },
  }),
  'It has 20 powers.': () => ({
    mandate: {
      power: Array.from({ length: 20 }, (_, index) => ({ ...power[0], function: `F${index}` })),
    },
  }),
  'It has more than 16,000 characters.': () => ({ claims: { note: 'x'.repeat(12_000) } }),
  'A power has other members and values.': () => ({
    mandate: {
      power: [{ type: 'other', domain: 'Elsewhere', function: 'Any', action: 'all', note: 1 }],
    },
  }),
  'It has members that no rule names.': () => ({
    header: { cty: 'vc' },
    claims: { note: { deep: [1, null, true, -1.5e3, '', {}, []] } },
    vc: { name: 'Credential', evidence: [] },
    subject: { name: 'Ana' },
    mandate: { mandator: { ...mandator, note: '' }, signer: { commonName: 'Ana' } },
  }),
  'It has texts that look like JSON, and names and values several times.': () => ({
    claims: {
      quoted: '","iss":1,"iss":2,"',
      backslashes: ['\\', '\\\\', '\\"', '"\\', '{', '[', '}', ']', ','],
      list: ['iss', 'iss', 'iss', { iss: 'iss' }, { iss: 'iss' }, 'iss'],
    },
    vc: { note: { iss: 'iss', sub: 'iss' } },
  }),
  'Its employeeId has one character.': () => withId('1'),
  'Its employeeId begins with a space.': () => withId(' 1'),
  'Its employeeId has 256 characters.': () => withId('x'.repeat(256)),
  'Its employeeId has spaces, quotes and letters of other scripts.': () => withId('Núñez "7" 人'),
}

/**
 * Contents, accreditations and status lists that differ from the usual ones. A verifier must accept
 * them.
 */
export const checks = acceptances({
  'V127-other-credentials': {
    title: 'Each valid form of a credential is accepted',
    level: 'practice',
    rows: [1, 2, 3, 4, 5].map(
      (row) =>
        `1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.${row}`,
    ),
    clauses: ['RFC 7519, 4', 'docs/assumptions.md, A-28'],
    description:
      'The rules of a credential name few members and no length, and issuers add others or leave out optional ones. A verifier that knows one form rejects the people of some organizations.',
    sends: `Valid credentials. ${Object.keys(validCredentials).join(' ')}`,
    fix: 'Require only what the rules name: the first @context, the types in any order, one end, a power, and an employeeId. Ignore members that you do not know.',
    presentations: Object.entries(validCredentials).map(([what, change]) =>
      withDefect(about('The credential', what), { change }),
    ),
  },
  'V128-other-presentations': {
    title: 'Each valid form of a presentation is accepted',
    level: 'practice',
    rows: [
      '1.resources-and-their-fields/presentation-token.2',
      '1.resources-and-their-fields/presentation-submission.1',
      '1.resources-and-their-fields/supported-curves.1',
      '1.resources-and-their-fields/supported-curves.2',
    ],
    clauses: ['RFC 7519, 4', 'RFC 7517, 4'],
    description:
      'Wallets differ in what is optional: another @context, members of the submission, members of the JWK in a did:jwk. A verifier that knows one wallet locks out the others.',
    fix: 'Compare only the first @context, look for VerifiablePresentation among the types, parse presentation_submission as JSON, and accept alg and use in a did:jwk that fit its key. Keep the zeros at the beginning of x and y.',
    sends:
      'Presentations with a second @context and type, with an nbf in the past, that end in a few seconds, with the fields of the form in another order, with another id and more members in the submission, and of holders whose did:jwk has optional members whose key has a coordinate that begins with a zero byte, or whose key has an odd y.',
    presentations: async () => [
      {
        ...withChange('The presentation has a second @context and a second type.', {
          presentation: setPayload({
            'vp.@context': (own: unknown) => [own, 'https://contexts.example/v1'].flat(),
            'vp.type': ['VerifiablePresentation', 'OtherPresentation'],
          }),
        }),
        fix: 'Compare only the first element of vp.@context, and look for VerifiablePresentation among the types.',
      },
      {
        ...withChange('The presentation has an nbf in the past.', {
          presentation: setPayload({ nbf: secondsFromNow(-60) }),
        }),
        fix: 'Accept nbf in a presentation, and compare it with the current time, in seconds.',
      },
      {
        ...withChange('The presentation ends in a few seconds.', {
          presentation: setPayload({ exp: secondsFromNow(20) }),
        }),
        fix: 'Accept a presentation until its exp: do not require that it is valid for much longer.',
      },
      {
        ...withChange('The fields of the form are in another order.', {
          presentationCall: setBody((form) => form.split('&').toReversed().join('&')),
        }),
        fix: 'Parse the body with a form parser, and find its fields by name, in any order.',
      },
      {
        ...withChange('The submission has another id, more members, and white space.', {
          presentationResponse: setMembers({
            presentation_submission: (text: unknown, context: FaultContext) =>
              JSON.stringify(
                changeMembers(
                  JSON.parse(String(text)),
                  { id: 'a', name: 'Submission', 'descriptor_map.0.name': 'Descriptor' },
                  context,
                ),
                null,
                2,
              ),
          }),
        }),
        fix: 'Parse presentation_submission as JSON, accept every id, and ignore unknown members.',
      },
      {
        what: 'The did:jwk of a secp256k1 key has alg, use, kid and key_ops.',
        fix: 'Accept alg, use, kid and key_ops in a did:jwk if they fit its key.',
        account: withMembers('secp256k1', { alg: 'ES256K' }),
      },
      {
        what: 'The did:jwk of an Ed25519 key has alg, use, kid and key_ops.',
        fix: 'Accept alg, use, kid and key_ops in a did:jwk if they fit its key.',
        account: withMembers('Ed25519', { alg: 'EdDSA' }),
      },
      {
        what: 'x of the secp256k1 key in a did:jwk begins with a zero byte.',
        fix: 'Read x and y of a JWK as 32 bytes each, with the zeros at their beginning.',
        account: await createShort('x', 'jwk'),
      },
      {
        what: 'y of the secp256k1 key of a did:key begins with a zero byte.',
        fix: 'Decompress the point of a did:key to 32 bytes for x and 32 for y, with the zeros at their beginning.',
        account: await createShort('y', 'key'),
      },
      {
        what: 'y of the secp256k1 key of a did:key is odd.',
        fix: 'Read the first byte of the compressed point in a did:key: 2 means that y is even, and 3 that it is odd.',
        account: createOdd(),
      },
    ],
  },
  'V125-other-accreditations': {
    title: 'Each valid form of an accreditation is accepted',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-17', 'docs/assumptions.md, A-18'],
    description:
      'TAOs use different software: some leave out optional claims, and some accredit for several types. A verifier that knows only one form rejects all credentials of some issuers.',
    sends: `Credentials of new issuers. Their accreditation, or that of the TAO above, ${validVariants.map(({ what }) => what).join(', ')}.`,
    fix: 'Read attribute.body as a JWT, or as base64url of one. Require in it only iss, a subject with id, reservedAttributeId and accreditedFor, and an end: exp or validUntil. Search all entries of accreditedFor. Ignore other members.',
    presentations: ({ trust: { world } }) => [
      ...validVariants.map((variant) => ({
        what: `The accreditation of the issuer ${variant.what}.`,
        fix: variant.fix,
        issuer: registerChain(world, 'issuer', variant),
      })),
      ...validVariants.slice(0, 2).map((variant) => ({
        what: `The accreditation of the TAO ${variant.what}.`,
        fix: variant.fix,
        issuer: registerChain(world, 'TAO', variant),
      })),
    ],
  },
  'V126-other-status-lists': {
    title: 'Each valid form of a status list is accepted',
    level: 'practice',
    clauses: ['Bitstring Status List 1.0, 3.2', 'docs/assumptions.md, A-23'],
    description:
      'Issuers use different software for their lists. A verifier that requires optional members, or reads only lists of one length, locks out all holders of some issuers.',
    sends: `Credentials whose bit is not set. ${Object.keys(validLists).join(' ')} The list is signed with ES256.`,
    fix: 'Require in a status list only iss, its id, its type, and a subject with type, statusPurpose and encodedList. Compare the times that it has. Read as many entries as it contains.',
    presentations: ({ trust: { world } }) => {
      const issuer = registerIssuer(world)
      return [
        ...Object.entries(validLists).map(([what, options]) =>
          withStatus(what, publishStatusList(world, options)),
        ),
        {
          ...withStatus(
            'The list is signed with ES256.',
            publishStatusList(world, {
              issuer,
              signer: () => addKey(world, issuer, { curve: 'P-256' }),
              header: { alg: 'ES256' },
            }),
          ),
          issuer,
        },
      ]
    },
  },
})

/** An account whose did:jwk contains the optional members of its public key. */
function withMembers(curve: 'secp256k1' | 'Ed25519', alg: { readonly alg: string }) {
  const account = createAccount({ curve, didMethod: 'jwk' })
  const optional = { ...alg, use: 'sig', kid: 'key-1', key_ops: ['verify'] }
  const jwk = { ...publicJwkOf(account.privateKey), ...optional }
  const did = `did:jwk:${encodeJson(jwk)}`
  return { ...account, did, kid: `${did}#0` }
}

function createOdd(): Account {
  for (;;) {
    const account = createAccount()
    if (isOdd(account)) return account
  }
}

/** An account with a coordinate that a number without padding shortens, as one of 256 has it. */
async function createShort(coordinate: 'x' | 'y', didMethod: 'key' | 'jwk'): Promise<Account> {
  for (;;) {
    const account = createAccount({ curve: 'secp256k1', didMethod })
    const { [coordinate]: value = '' } = { y: undefined, ...account.privateKey }
    if (isShort(value) && !isOdd(account)) return account
    // The servers of the kit must answer meanwhile.
    await setImmediate()
  }
}
