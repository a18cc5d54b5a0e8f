import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/jws.ts'
import {
  asPractice,
  refusals,
  withDefect,
  withDefects,
  withFaults,
} from '../presentation-checks.ts'

/** The presented credential itself is invalid. */
export const checks = refusals({
  'V20-bad-credential-signature': {
    title: 'A credential with a wrong signature is rejected',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6',
      '1.states-and-transitions.7',
    ],
    description:
      'A credential is a statement of the issuer about the holder. Without a valid signature, anyone could have written it.',
    presentations: [
      ...withDefects('bad-signature', 'signed-by-strange-key'),
      ...withFaults('presentation-tampered-credential'),
    ],
  },
  'V21-expired-credential': {
    title: 'A credential past validUntil is rejected',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.5',
      '1.states-and-transitions.7',
    ],
    description:
      'People leave organizations. Their credentials end with validUntil, regardless of the other times in the JWT.',
    presentations: withDefects('expired', 'exp-after-valid-until'),
  },
  'V22-credential-not-yet-valid': {
    title: 'A credential that is not valid yet is rejected',
    level: 'final',
    clauses: ['W3C VC Data Model 2.0, 4.9', 'RFC 7519, 4.1.5'],
    description: 'Issuers issue credentials in advance, for mandates that begin later.',
    presentations: withDefects('not-yet-valid'),
  },
  'V23-wrong-type': {
    title: 'A credential of another type is rejected',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7',
      '1.states-and-transitions.7',
    ],
    description:
      'An accredited issuer may issue many types of credentials. Only one of them is valid for a login.',
    presentations: withDefects('type-other'),
  },
  'V24-broken-type-chain': {
    title: 'A credential without its full type chain is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.4'],
    description:
      'The type array contains every type of the inheritance chain. Applications that rely on the parent types may read them.',
    remark:
      'Accepting the credential without LEARCredential is a WARN: the profile does not name the types of the chain.',
    presentations: [
      ...withDefects('verifiable-credential-missing'),
      ...asPractice(withDefects('inherited-type-missing')),
    ],
  },
  'V25-wrong-first-context': {
    title: 'A credential with another first @context is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.3'],
    description: 'The first @context defines the version of the data model.',
    presentations: withDefects('context-order', 'context-absent'),
  },
  'V26-no-power': {
    title: 'A credential without powers is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1'],
    description:
      'A mandate without powers authorizes nothing. A verifier that accepts it gives access that was never granted.',
    presentations: withDefects('power-empty', 'power-absent', 'power-serialized'),
  },
  'V27-no-employee-id': {
    title: 'A credential without employeeId is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.2'],
    description: 'Without the employeeId, the people of an organization cannot be distinguished.',
    presentations: withDefects('employee-id-absent'),
  },
  'V43-revoked-credential': {
    title: 'A credential that is revoked in its status list is rejected',
    level: 'practice',
    clauses: ['Bitstring Status List 1.0, 3.2', 'docs/assumptions.md, A-23'],
    description:
      'The credentials of people who leave are revoked before they expire. The profile does not define credentialStatus, so this is an extension.',
    presentations: withDefects('revoked'),
  },
  'V74-credential-alg-none': {
    title: 'A credential without a real signature is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
    description:
      'The sender of a credential chooses the algorithm in its header. The value none, and a MAC with the public key, prove nothing.',
    presentations: withDefects('alg-none', 'alg-hs256'),
  },
  'V76-credential-exp-past': {
    title: 'A credential past exp is rejected',
    level: 'final',
    clauses: ['RFC 7519, 4.1.4'],
    description: 'A JWT must not be accepted after its exp, regardless of validUntil.',
    presentations: withDefects('exp-before-valid-until'),
  },
  'V77-type-below': {
    title: 'A credential of a subtype of the accepted type is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-26'],
    description: 'The setting names one type, not a family of types. A new subtype may grant less.',
    presentations: withDefects('type-below'),
  },
  'V78-empty-employee-id': {
    title: 'A credential with an empty employeeId is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description: 'All holders with an empty employeeId would be the same person.',
    presentations: withDefects('employee-id-empty'),
  },
  'V81-status-unknown': {
    title: 'A credential whose revocation status is unavailable is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-23', 'docs/assumptions.md, A-29'],
    description: 'An attacker who blocks the status list would otherwise hide revocations.',
    presentations: withDefects('status-list-missing', 'status-index-beyond'),
  },
  'V83-key-in-header': {
    title: 'A credential that contains its own verification key is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
    description:
      'The signature must verify with a key in the DID document of the issuer. A library that prefers the jwk of the header accepts any signature.',
    presentations: [
      withDefect(
        'The header has the kid of the issuer, and the key that signed the credential as jwk.',
        {
          sign: (header, payload) => {
            const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
            return signJws({
              header: { ...header, jwk: publicJwkOf(privateKey) },
              payload,
              privateKey,
            })
          },
        },
      ),
    ],
  },
  'V85-issuer-mismatch': {
    title: 'A credential whose issuer is not iss is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description:
      'The signature is verified for iss, but applications read vc.issuer. Both must be equal.',
    presentations: withDefects('issuer-mismatch'),
  },
  'V86-subject-mismatch': {
    title: 'A credential whose sub is not its subject is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description:
      'Some verifiers compare the presenter with sub, others with credentialSubject.id. Both must give the same result.',
    presentations: withDefects('sub-mismatch'),
  },
})
