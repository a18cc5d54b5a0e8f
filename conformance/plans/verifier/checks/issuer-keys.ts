import { toIsoTime } from '#core/verification/data-model.ts'
import { broken, defineChecks, held } from '../../../kit/check.ts'
import {
  otherDocuments,
  registerWithDocuments,
  validDocuments,
} from '../../../world/defects/document-defects.ts'
import { addKey, endKey, removeKey } from '../../../world/key-uses.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { VerifierContext } from '../context.ts'
import {
  acceptances,
  asPractice,
  type PresentationCase,
  presentOnce,
  refusals,
  withDefect,
  withDefects,
} from '../presentation-checks.ts'
import { inCredential } from '../raw-tokens.ts'

const hour = 3600

/** Credentials whose iat is not a time. */
const timeless: readonly PresentationCase[] = [
  ...Object.entries({
    'There is no iat.': undefined,
    'iat is a word.': 'yesterday',
    'iat is an object.': {},
  }).map(([what, iat]) => withDefect(what, { change: () => ({ claims: { iat } }) })),
  inCredential({
    what: 'has an iat that is less than each number of most languages',
    payload: (json) => json.replace(/"iat":\d+/, '"iat":-1e999'),
  }),
]

/**
 * The key of the issuer must be registered, for assertions, and valid when the credential was
 * signed.
 */
export const checks = {
  ...refusals({
    'V28-issuer-unknown': {
      title: 'A credential of an issuer that is not in the DID registry is rejected',
      level: 'spec',
      rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
      description:
        'Without a DID document there is no key to verify the signature with. A verifier that continues anyway accepts any credential.',
      sends:
        'A credential of an issuer that is accredited in the TIR, but whose DID is not in the DID registry (404).',
      fix: 'Resolve the DID of iss at the DID registry. If the registry returns 404, reject the presentation: do not take the key from another source.',
      presentations: ({ trust: { world } }) => {
        const issuer = registerIssuer(world)
        removeKey(world, issuer)
        return [
          { what: 'The DID of the issuer is not registered.', issuer },
          ...withDefects('issuer-unknown'),
        ]
      },
    },
    'V29-key-not-for-assertions': {
      title: 'A credential signed with a key that is not for assertions is rejected',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6',
        '2.states-and-transitions.3',
      ],
      description:
        'An organization has keys for other purposes, which may be less protected. Only keys in assertionMethod may sign credentials.',
      fix: "Require kid of the credential in assertionMethod of the issuer's DID document. If it is only in verificationMethod or in another relationship, reject the presentation.",
      presentations: withDefects('key-not-for-assertions'),
    },
    'V30-key-revoked-before': {
      title: 'A credential signed with a revoked key is rejected, even if it is backdated',
      level: 'spec',
      rows: [
        '2.states-and-transitions.4',
        '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6',
      ],
      description:
        'Keys are revoked because they were stolen. Later signatures of the thief must not count, and the thief can choose validFrom freely. The signing time is iat.',
      sends:
        'Credentials whose iat is now, signed with a key that was revoked an hour ago. In one, validFrom and nbf are before the revocation. In the others, kid names a time before it.',
      fix: "Resolve the issuer's DID document with valid-at set to iat of the credential, not to validFrom, nbf or a parameter of kid. If kid is not in its assertionMethod, reject the presentation.",
      presentations: ({ trust: { world }, now: clock }) => {
        const now = clock()
        const issuer = registerIssuer(world)
        endKey(world, issuer, now - hour)
        const what = 'The key was revoked an hour before the credential was signed.'
        const change = () => ({
          claims: { nbf: now - 2 * hour },
          vc: { validFrom: toIsoTime(now - 2 * hour) },
        })
        const before = now - 2 * hour
        const parameters = {
          versionTime: toIsoTime(before),
          'valid-at': String(before),
        }
        return [
          { ...withDefect(what, { change }), issuer },
          ...Object.entries(parameters).map(([name, time]) => ({
            ...withDefect(`${what} kid has a parameter ${name} before the revocation.`, {
              change: () => ({ header: { kid: issuer.kid.replace('#', `?${name}=${time}#`) } }),
            }),
            issuer,
          })),
        ]
      },
    },
    'V32-signed-after-revocation': {
      title: 'A credential signed a minute after the revocation of its key is rejected',
      level: 'spec',
      rows: ['2.states-and-transitions.4'],
      description:
        'notAfter is an exact time. Signatures made before it stay valid; later ones are invalid.',
      sends:
        'A credential signed nine minutes ago with a key that was revoked ten minutes ago, and one signed five seconds after the revocation.',
      remark: 'Accepting the second one is a WARN.',
      fix: "Resolve the issuer's DID document with valid-at set to exactly iat of the credential, without a tolerance. If kid is not in its assertionMethod, reject the presentation.",
      presentations: ({ trust: { world }, now: clock }) => {
        const now = clock()
        const issuer = registerIssuer(world)
        endKey(world, issuer, now - 600)
        const what = 'The key was revoked a minute before the credential was signed.'
        return [
          { what, issuer, issuedAt: now - 540 },
          ...asPractice([
            {
              what: 'The key was revoked five seconds before the credential was signed.',
              issuer,
              issuedAt: now - 595,
            },
          ]),
        ]
      },
    },
    'V34-rolled-key-after-overlap': {
      title: 'A credential signed with the old key after the overlap is rejected',
      level: 'spec',
      rows: ['2.states-and-transitions.6'],
      description:
        'The old key expires when the overlap ends. A verifier that caches a DID document keeps accepting it.',
      sends:
        'First a credential that the old key signed within the overlap, so that the verifier may cache the DID document. Then a credential that the old key signed a minute ago, an hour after the overlap.',
      fix: 'Cache a DID document only for its valid-at, not for other times. Resolve it with valid-at set to iat of the credential, and reject the presentation if kid is not in its assertionMethod.',
      remark: 'Only the second presentation decides.',
      presentations: async (context) => {
        const { world } = context.trust
        const now = context.now()
        const issuer = registerIssuer(world)
        endKey(world, issuer, now - hour)
        addKey(world, issuer, { notBefore: now - 2 * hour })
        const before = 'The old key signed within the overlap.'
        await presentOnce(context, { what: before, issuer, issuedAt: now - 1.5 * hour })
        const what = 'The old key signed an hour after the overlap.'
        return [{ what, issuer, issuedAt: now - 60 }]
      },
    },
    'V144-signed-before-the-key': {
      title: 'A credential signed before its key was valid is rejected',
      level: 'practice',
      rows: ['2.endpoints/did-registry.23'],
      clauses: ['docs/assumptions.md, A-28'],
      description:
        'A key is valid from notBefore on. An earlier iat is wrong: the issuer, or a thief of its key, has backdated the credential.',
      sends: 'A credential signed two hours ago with a key that became valid an hour ago.',
      fix: 'Look up kid only in the DID document with valid-at set to iat of the credential. If it is not in its assertionMethod, reject the presentation: do not look into the current document as well.',
      presentations: ({ trust: { world }, now: clock }) => {
        const now = clock()
        const issuer = addKey(world, registerIssuer(world), { notBefore: now - hour })
        const what = 'The key became valid an hour after the credential was signed.'
        return [{ what, issuer, issuedAt: now - 2 * hour }]
      },
    },
    'V120-other-did-document': {
      title: 'A DID document without the key of the issuer for assertions is not used',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-28', 'RFC 7517, 9.2'],
      description:
        'A cache or proxy between verifier and registry can return the document of another DID, and a key in it may be ambiguous or compromised. A verifier that takes the first key with the right id trusts it.',
      sends: `Credentials of new issuers whose DID document ${Object.keys(otherDocuments).join(', ')}.`,
      fix: 'Compare id of the DID document with the DID that you resolved. Require kid, as a whole, exactly once in verificationMethod and in assertionMethod, with a public key for signatures. Otherwise reject the presentation.',
      presentations: ({ trust }) => withDocuments(trust, otherDocuments),
    },
  }),
  ...acceptances({
    'V31-signed-before-revocation': {
      title: 'A credential signed before the revocation of its key is accepted',
      level: 'spec',
      rows: ['2.states-and-transitions.4'],
      description:
        'Signatures made before notAfter stay valid. Otherwise each revoked key would lock out all holders of credentials that it signed.',
      sends:
        'Credentials signed two hours ago, and five seconds before its end, with a key that was revoked one hour ago.',
      fix: "Resolve the issuer's DID document with valid-at set to iat of the credential. Accept a key in its assertionMethod, even if the current document no longer lists it.",
      presentations: ({ trust: { world }, now: clock }) => {
        const now = clock()
        const issuer = registerIssuer(world)
        endKey(world, issuer, now - hour)
        const what = 'The key was revoked an hour after the credential was signed.'
        return [
          { what, issuer, issuedAt: now - 2 * hour },
          {
            what: 'The key was revoked five seconds after the credential was signed.',
            issuer,
            issuedAt: now - hour - 5,
          },
        ]
      },
    },
    'V33-rolled-key-overlap': {
      title: 'Both keys are accepted while a rolled key overlaps with its successor',
      level: 'spec',
      rows: ['2.states-and-transitions.6'],
      description:
        'Both keys are valid during the overlap. An issuer signs with the old one until all its machines have the new one.',
      sends:
        'Two credentials signed a minute ago, within the overlap: one with the old key, one with the new key.',
      fix: 'Look up kid among all elements of assertionMethod at iat of the credential. Do not use only the first or the newest key.',
      presentations: ({ trust: { world }, now: clock }) => {
        const now = clock()
        const oldKey = registerIssuer(world)
        endKey(world, oldKey, now + 300)
        const newKey = addKey(world, oldKey, { notBefore: now - 300 })
        const issuedAt = now - 60
        return [
          { what: 'The old key signed within the overlap.', issuer: oldKey, issuedAt },
          { what: 'The new key signed within the overlap.', issuer: newKey, issuedAt },
        ]
      },
    },
    'V134-other-valid-documents': {
      title:
        'A credential is accepted regardless of what else the DID document of its issuer contains',
      level: 'practice',
      rows: ['2.resources-and-their-fields/did-document.2'],
      description:
        'Issuers have several keys, for several purposes and with several algorithms. A verifier that reads only the first one, or fails at a key of an unknown kind, rejects all credentials of some issuers.',
      sends: `Credentials of new issuers whose DID document ${Object.keys(validDocuments).join(', ')}.`,
      fix: 'Find the element of verificationMethod whose id is kid, as a whole, at any position. Read only the key in it. Ignore other members of the DID document, and keys of unknown kinds.',
      presentations: ({ trust }) => withDocuments(trust, validDocuments),
    },
  }),
  ...defineChecks<VerifierContext>({
    'V140-valid-at-is-a-number': {
      title: 'The DID registry is asked only for times that are numbers',
      level: 'spec',
      expectation: 'accept',
      observes: true,
      rows: ['2.endpoints/did-registry.2'],
      description:
        'valid-at is a number of Unix seconds. If a registry ignores an unreadable valid-at, it returns the current document, which does not show whether the key was valid at the time of the signature.',
      sends: `Credentials whose iat is not a time. ${timeless.map(({ what }) => what).join(' ')}`,
      decides:
        'Each valid-at in the requests to the DID registry must be a number. V108 and V109 test whether such credentials are rejected.',
      fix: 'Check that iat of the credential is a finite number before you send it as valid-at. Otherwise reject the presentation without a request.',
      async run(context) {
        for (const each of timeless) await presentOnce(context, each)
        const times = context.trust.received
          .filter(({ path }) => path.startsWith('/api/v1/identifiers/'))
          .flatMap(({ query }) => query.getAll('valid-at'))
        const wrong = times.filter((time) => !/^-?\d+(?:\.\d+)?$/.test(time))
        const verdictSource = 'requests to the DID registry'
        return wrong.length === 0
          ? held('No request has a valid-at that is not a number.', { verdictSource })
          : broken('The DID registry was asked for a time that is not a number.', {
              verdictSource,
              expected: 'a number in valid-at',
              actual: wrong,
            })
      },
    },
  }),
}

/** Presentations of credentials of new issuers, each with one of these DID documents. */
const withDocuments = (...options: Parameters<typeof registerWithDocuments>): PresentationCase[] =>
  registerWithDocuments(...options).map(({ does, party }) => ({
    what: `The DID document of the issuer ${does}.`,
    issuer: party,
  }))
