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
    fix: 'Verify the signature of the credential with the key in kid from the DID document of iss. If it is invalid, reject the presentation.',
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
    fix: 'Compare validUntil of the credential with the current time, even if exp is later. If it has passed, reject the presentation.',
    presentations: withDefects('expired', 'exp-after-valid-until'),
  },
  'V22-credential-not-yet-valid': {
    title: 'A credential that is not valid yet is rejected',
    level: 'final',
    clauses: ['W3C VC Data Model 2.0, 4.9', 'RFC 7519, 4.1.5'],
    description: 'Issuers issue credentials in advance, for mandates that begin later.',
    fix: 'Compare validFrom and nbf of the credential with the current time. If one of them is in the future, reject the presentation.',
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
    fix: 'Require the accepted type, such as OrgPortalLearCredential, in vc.type of the credential. If it is missing, reject the presentation.',
    presentations: withDefects('type-other'),
  },
  'V24-broken-type-chain': {
    title: 'A credential without its full type chain is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.4'],
    description:
      'The type array contains every type of the inheritance chain. Applications that rely on the parent types may read them.',
    fix: 'Require VerifiableCredential, LEARCredential and the accepted type in vc.type. If one of them is missing, reject the presentation.',
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
    fix: 'Require https://www.w3.org/ns/credentials/v2 as the first element of vc.@context. Otherwise reject the presentation.',
    presentations: withDefects('context-order', 'context-absent'),
  },
  'V26-no-power': {
    title: 'A credential without powers is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1'],
    description:
      'A mandate without powers authorizes nothing. A verifier that accepts it gives access that was never granted.',
    fix: 'Require that mandate.power is an array with at least one element. If it is missing, empty or a string, reject the presentation.',
    presentations: withDefects('power-empty', 'power-absent', 'power-serialized'),
  },
  'V27-no-employee-id': {
    title: 'A credential without employeeId is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.2'],
    description: 'Without the employeeId, the people of an organization cannot be distinguished.',
    fix: 'Require mandate.mandatee.employeeId in the credential. If it is missing, reject the presentation.',
    presentations: withDefects('employee-id-absent'),
  },
  'V43-revoked-credential': {
    title: 'A credential that is revoked in its status list is rejected',
    level: 'practice',
    clauses: ['Bitstring Status List 1.0, 3.2', 'docs/assumptions.md, A-23'],
    description:
      'The credentials of people who leave are revoked before they expire. The profile does not define credentialStatus, so this is an extension.',
    fix: 'Fetch the list in credentialStatus.statusListCredential, verify it, and read the bit at statusListIndex. If the bit is set, reject the presentation.',
    presentations: withDefects('revoked'),
  },
  'V74-credential-alg-none': {
    title: 'A credential without a real signature is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
    description:
      'The sender of a credential chooses the algorithm in its header. The value none, and a MAC with the public key, prove nothing.',
    fix: "Derive the algorithm from the issuer's registered key, such as ES256K for secp256k1, and require it as alg of the credential. Reject none and HS256.",
    presentations: withDefects('alg-none', 'alg-hs256'),
  },
  'V76-credential-exp-past': {
    title: 'A credential past exp is rejected',
    level: 'final',
    clauses: ['RFC 7519, 4.1.4'],
    description: 'A JWT must not be accepted after its exp, regardless of validUntil.',
    fix: 'Compare exp of the credential with the current time, even if validUntil is later. If it has passed, reject the presentation.',
    presentations: withDefects('exp-before-valid-until'),
  },
  'V77-type-below': {
    title: 'A credential of a subtype of the accepted type is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-26'],
    description: 'The setting names one type, not a family of types. A new subtype may grant less.',
    fix: 'Require that the accepted type is the only one in vc.type that is not inherited. If there is a more specific type, reject the presentation.',
    presentations: withDefects('type-below'),
  },
  'V78-empty-employee-id': {
    title: 'A credential with an empty employeeId is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description: 'All holders with an empty employeeId would be the same person.',
    fix: 'Require that mandate.mandatee.employeeId is a string with at least one character. Otherwise reject the presentation.',
    presentations: withDefects('employee-id-empty'),
  },
  'V81-status-unknown': {
    title: 'A credential whose revocation status is unavailable is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-23', 'docs/assumptions.md, A-29'],
    description: 'An attacker who blocks the status list would otherwise hide revocations.',
    fix: 'If the status list is missing, invalid or has no bit at statusListIndex, reject the presentation. An unknown status does not count as valid.',
    presentations: withDefects('status-list-missing', 'status-index-beyond'),
  },
  'V83-key-in-header': {
    title: 'A credential that contains its own verification key is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
    description:
      'The signature must verify with a key in the DID document of the issuer. A library that prefers the jwk of the header accepts any signature.',
    fix: 'Ignore jwk, jku and x5u in the header of the credential. Verify it only with the key in kid from the DID document of iss.',
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
    fix: 'Compare vc.issuer, or its id, with iss of the credential. If they differ, reject the presentation.',
    presentations: withDefects('issuer-mismatch'),
  },
  'V86-subject-mismatch': {
    title: 'A credential whose sub is not its subject is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description:
      'Some verifiers compare the presenter with sub, others with credentialSubject.id. Both must give the same result.',
    fix: 'If the credential has sub, compare it with credentialSubject.id. If they differ, reject the presentation.',
    presentations: withDefects('sub-mismatch'),
  },
})
