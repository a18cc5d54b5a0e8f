import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/jws.ts'
import {
  asPractice,
  refusals,
  withDefect,
  withDefects,
  withFaults,
} from '../presentation-checks.ts'

/** What is wrong with the presented credential itself. */
export const checks = refusals({
  'V20-bad-credential-signature': {
    title: 'A credential with a wrong signature is refused',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6',
      '1.states-and-transitions.7',
    ],
    description:
      'The credential is what the issuer says of its holder; without its signature the holder says it.',
    presentations: [
      ...withDefects('bad-signature', 'signed-by-strange-key'),
      ...withFaults('presentation-tampered-credential'),
    ],
  },
  'V21-expired-credential': {
    title: 'A credential past validUntil is refused',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.5',
      '1.states-and-transitions.7',
    ],
    description:
      'People leave organizations; what they held ends with validUntil, whatever the JWT says besides.',
    presentations: withDefects('expired', 'exp-after-valid-until'),
  },
  'V22-credential-not-yet-valid': {
    title: 'A credential that is not valid yet is refused',
    level: 'final',
    clauses: ['W3C VC Data Model 2.0, 4.9', 'RFC 7519, 4.1.5'],
    description: 'An issuer hands out credentials for a mandate that begins later.',
    presentations: withDefects('not-yet-valid'),
  },
  'V23-wrong-type': {
    title: 'A credential of another type is refused',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7',
      '1.states-and-transitions.7',
    ],
    description:
      'Any accredited issuer may issue many things; only one type is good for logging in.',
    presentations: withDefects('type-other'),
  },
  'V24-broken-type-chain': {
    title: 'A credential without its chain of types is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.4'],
    description:
      'The type array contains every type of the inheritance chain: what rests on the types above may read them.',
    remark:
      'Taking the one without LEARCredential is a WARN: the profile does not name the types of the chain.',
    presentations: [
      ...withDefects('verifiable-credential-missing'),
      ...asPractice(withDefects('inherited-type-missing')),
    ],
  },
  'V25-wrong-first-context': {
    title: 'A credential with another first @context is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.3'],
    description:
      'The first @context says in which version of the data model the rest is to be read.',
    presentations: withDefects('context-order', 'context-absent'),
  },
  'V26-no-power': {
    title: 'A credential without powers is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1'],
    description:
      'A mandate without powers is good for nothing; whoever lets it in gives access that nobody granted.',
    presentations: withDefects('power-empty', 'power-absent', 'power-serialized'),
  },
  'V27-no-employee-id': {
    title: 'A credential without employeeId is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.2'],
    description: 'Without the employeeId nobody can tell the people of an organization apart.',
    presentations: withDefects('employee-id-absent'),
  },
  'V43-revoked-credential': {
    title: 'A credential whose bit in the status list is set is refused',
    level: 'practice',
    clauses: ['Bitstring Status List 1.0, 3.2', 'docs/assumptions.md, A-23'],
    description:
      'Credentials of people who have left are revoked before they end. The profile knows no credentialStatus, so this is an extension.',
    presentations: withDefects('revoked'),
  },
  'V74-credential-alg-none': {
    title: 'A credential without a real signature is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
    description:
      'The algorithm that a credential names is chosen by whoever made it: none and a MAC with the public key prove nothing.',
    presentations: withDefects('alg-none', 'alg-hs256'),
  },
  'V76-credential-exp-past': {
    title: 'A credential past exp is refused',
    level: 'final',
    clauses: ['RFC 7519, 4.1.4'],
    description: 'A JWT must not be accepted after its exp, whatever validUntil says.',
    presentations: withDefects('exp-before-valid-until'),
  },
  'V77-type-below': {
    title: 'A credential of a type below the accepted one is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-26'],
    description: 'The setting names one type and not a family: a new type below it may mean less.',
    presentations: withDefects('type-below'),
  },
  'V78-empty-employee-id': {
    title: 'A credential with an empty employeeId is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description:
      'An empty text is there and says nothing: everybody who has one is the same person.',
    presentations: withDefects('employee-id-empty'),
  },
  'V81-status-unknown': {
    title: 'A credential whose revocation can not be told is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-23', 'docs/assumptions.md, A-29'],
    description: 'Whoever keeps the status list away would keep revocation away.',
    presentations: withDefects('status-list-missing', 'status-index-beyond'),
  },
  'V83-key-in-header': {
    title: 'A credential that brings its own key along is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
    description:
      "The signature verifies against the issuer's DID document: a library that prefers the header's jwk verifies everything.",
    presentations: [
      withDefect("The credential brings along the key that signed it, under the issuer's kid.", {
        sign: (header, payload) => {
          const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
          return signJws({
            header: { ...header, jwk: publicJwkOf(privateKey) },
            payload,
            privateKey,
          })
        },
      }),
    ],
  },
  'V85-issuer-mismatch': {
    title: 'A credential whose issuer is not iss is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description:
      'The JWT is verified for iss, and applications read vc.issuer: they have to be one.',
    presentations: withDefects('issuer-mismatch'),
  },
  'V86-subject-mismatch': {
    title: 'A credential whose sub is not its subject is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description:
      'Who compares the presenter with sub, and who with credentialSubject.id, has to come to the same.',
    presentations: withDefects('sub-mismatch'),
  },
})
