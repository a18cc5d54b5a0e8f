import { refusals, withDefects } from '../presentation-checks.ts'

/** What is wrong with the accreditation of who issued the presented credential. */
export const checks = refusals({
  'V35-issuer-not-in-tir': {
    title: 'A credential of an issuer that the TIR does not know is refused',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
      '1.errors.13',
    ],
    description:
      'Everybody can have a DID and sign credentials; the TIR says whose are worth something.',
    presentations: withDefects('not-accredited'),
  },
  'V36-accreditation-revoked': {
    title: 'A credential of an issuer whose accreditation is revoked is refused',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
      '2.states-and-transitions.7',
    ],
    description:
      'A revoked issuer keeps its key, its DID and the old accreditation in the TIR; issuerType alone says that it is over.',
    presentations: withDefects('accreditation-revoked'),
  },
  'V37-parent-revoked': {
    title: 'A credential below a revoked TAO is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description:
      'Revocation does not cascade on chain: who looks at the issuer alone goes on trusting everything that a revoked TAO accredited.',
    presentations: withDefects('parent-revoked'),
  },
  'V38-no-terms-of-use': {
    title: 'A credential without termsOfUse is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'A verifier that looks for the accreditation where the credential says it is looks for none where it says nothing.',
    presentations: withDefects('terms-of-use-absent'),
  },
  'V39-other-environment': {
    title: 'A credential accredited in another environment is refused',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
      '1.errors.13',
    ],
    description:
      'Who can register in the test environment can issue there; none of it counts here.',
    presentations: withDefects('terms-of-use-other-environment', 'terms-of-use-other-host'),
  },
  'V40-accreditation-of-another': {
    title: "A credential that points to somebody else's accreditation is refused",
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8'],
    description:
      "Whoever has a DID points to the accreditation of somebody who has one: it has to be the issuer's.",
    presentations: withDefects('terms-of-use-other-did'),
  },
  'V41-attribute-id-not-hex': {
    title: 'A credential whose termsOfUse is no address in the TIR is refused',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
      '1.errors.13',
    ],
    description:
      'What can not be read is not there; a verifier that passes over it passes over the accreditation.',
    presentations: withDefects('terms-of-use-not-hex'),
  },
  'V42-type-not-accredited': {
    title: 'A credential of a type that its issuer is not accredited for is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description:
      'An accreditation names the types that it is for. The profile leaves open whether verifiers look at them, so this is advice.',
    expectation: 'advice',
    presentations: withDefects('accreditation-for-another-type'),
  },
  'V75-accreditation-expired': {
    title: 'A credential under an expired accreditation is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description: 'An accreditation ends as every credential does; the TIR goes on serving it.',
    presentations: withDefects('accreditation-expired'),
  },
  'V79-self-accredited': {
    title: 'A credential of an issuer that accredited itself is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description:
      'Whoever writes into the TIR can write a body of its own making; it has to be signed by the TAO that the TIR names.',
    presentations: withDefects('accreditation-self-signed'),
  },
  'V80-root-not-trusted': {
    title: 'A credential under a root that is not trusted is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description: 'A chain of trust is worth what its root is: everybody can make one.',
    presentations: withDefects('root-not-trusted'),
  },
  'V87-accreditation-of-another-subject': {
    title: 'A credential under an accreditation about somebody else is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description:
      'A TAO that accredits one issuer has not accredited the other one that shows the same body.',
    presentations: withDefects('accreditation-of-another', 'accreditation-moved'),
  },
})
