import { refusals, withDefects } from '../presentation-checks.ts'

/** The issuer of the presented credential has no valid accreditation. */
export const checks = refusals({
  'V35-issuer-not-in-tir': {
    title: 'A credential of an issuer that is not in the TIR is rejected',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
      '1.errors.13',
    ],
    description:
      'Anyone can create a DID and sign credentials. The TIR lists the issuers to trust.',
    fix: 'Fetch the attribute at termsOfUse.id from the TIR. If the TIR answers 404, reject the presentation.',
    presentations: withDefects('not-accredited'),
  },
  'V36-accreditation-revoked': {
    title: 'A credential of an issuer whose accreditation is revoked is rejected',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
      '2.states-and-transitions.7',
    ],
    description:
      'A revoked issuer keeps its key, its DID and the old accreditation in the TIR. Only issuerType shows the revocation.',
    fix: 'Read attribute.issuerType at termsOfUse.id in the TIR. If it is REVOKED, reject the presentation.',
    presentations: withDefects('accreditation-revoked'),
  },
  'V37-parent-revoked': {
    title: 'A credential below a revoked TAO is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description:
      'Revocation does not cascade on chain. A verifier that checks only the issuer still trusts everything that a revoked TAO accredited.',
    fix: 'Follow attribute.tao from the issuer up to the root. If issuerType of one of the attributes is REVOKED, reject the presentation.',
    presentations: withDefects('parent-revoked'),
  },
  'V38-no-terms-of-use': {
    title: 'A credential without termsOfUse is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'The credential says where its accreditation is. If it does not say so, a careless verifier skips the accreditation check.',
    fix: 'Require vc.termsOfUse in the credential. If it is missing, reject the presentation: do not skip the accreditation.',
    presentations: withDefects('terms-of-use-absent'),
  },
  'V39-other-environment': {
    title: 'A credential accredited in another environment is rejected',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
      '1.errors.13',
    ],
    description:
      'Anyone who can register in the test environment can issue credentials there. They must not count in this environment.',
    fix: 'Require that termsOfUse.id is below the TIR address of your environment, and that its DID has the prefix of this environment. Otherwise reject the presentation.',
    presentations: withDefects('terms-of-use-other-environment', 'terms-of-use-other-host'),
  },
  'V40-accreditation-of-another': {
    title: 'A credential that points to the accreditation of another issuer is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8'],
    description:
      'Any DID owner can point to the accreditation of another issuer. The accreditation must belong to the issuer of the credential.',
    fix: 'Compare the DID in termsOfUse.id with iss of the credential. If they differ, reject the presentation.',
    presentations: withDefects('terms-of-use-other-did'),
  },
  'V41-attribute-id-not-hex': {
    title: 'A credential whose termsOfUse is not a TIR address is rejected',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
      '1.errors.13',
    ],
    description:
      'An unreadable accreditation counts as missing. A verifier that ignores the member skips the accreditation check.',
    fix: 'Compare termsOfUse.id with the pattern <TIR>/v1/issuers/<DID>/attributes/<64 hex digits>. If it does not match, reject the presentation.',
    presentations: withDefects('terms-of-use-not-hex'),
  },
  'V42-type-not-accredited': {
    title: 'A credential of a type that its issuer is not accredited for is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description:
      'An accreditation lists the credential types it covers. The profile leaves open whether verifiers check them, so this is advice.',
    fix: "Decode attribute.body, and require the credential's type in types of an entry of accreditedFor. Otherwise reject the presentation.",
    expectation: 'advice',
    presentations: withDefects('accreditation-for-another-type'),
  },
  'V75-accreditation-expired': {
    title: 'A credential under an expired accreditation is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description: 'An accreditation expires like any credential, but the TIR keeps serving it.',
    fix: 'Decode attribute.body, and compare exp and validUntil of the accreditation with the current time. If one of them has passed, reject the presentation.',
    presentations: withDefects('accreditation-expired'),
  },
  'V79-self-accredited': {
    title: 'A credential of an issuer that accredited itself is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description:
      'An organization that can write to the TIR can write any body. The body must be signed by the TAO that the TIR names.',
    fix: 'Verify the signature of attribute.body with an assertionMethod key of the DID in attribute.tao, and require that DID as its iss. Otherwise reject the presentation.',
    presentations: withDefects('accreditation-self-signed'),
  },
  'V80-root-not-trusted': {
    title: 'A credential under a root that is not trusted is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description: 'A trust chain is worth only as much as its root, and anyone can create one.',
    fix: 'Configure the DIDs of the trusted roots, and require one of them at the end of the chain. If there is another root, reject the presentation, even if its issuerType is RTAO.',
    presentations: withDefects('root-not-trusted'),
  },
  'V87-accreditation-of-another-subject': {
    title: 'A credential under an accreditation of another subject is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-18'],
    description:
      'If a TAO accredited one issuer, another issuer that shows the same body is not accredited.',
    fix: 'Compare credentialSubject.id in attribute.body with iss of the credential, and reservedAttributeId with the attributeId in termsOfUse.id. If one differs, reject the presentation.',
    presentations: withDefects('accreditation-of-another', 'accreditation-moved'),
  },
})
