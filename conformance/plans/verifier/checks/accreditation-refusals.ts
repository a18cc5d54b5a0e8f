import { randomUUID } from 'node:crypto'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { nearMisses, untrimmedMisses } from '../../../kit/near-misses.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import { accreditSimilar, registerSimilar } from '../../../world/register-issuer.ts'
import {
  asPractice,
  type PresentationCase,
  refusals,
  withDefect,
  withDefects,
} from '../presentation-checks.ts'

/** The accreditation that the credential names is missing, or not one of its issuer. */
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
    fix: 'Fetch the attribute at termsOfUse.id from the TIR. If the TIR returns 404, reject the presentation.',
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
  'V38-no-terms-of-use': {
    title: 'A credential without termsOfUse is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'The credential says where its accreditation is. If it does not say so, a careless verifier skips the accreditation check.',
    fix: 'Require vc.termsOfUse in the credential, with an id. If one of them is missing, reject the presentation: do not skip the accreditation.',
    presentations: [
      ...withDefects('terms-of-use-absent'),
      withTermsOfUse('termsOfUse is null.', null),
      withTermsOfUse('termsOfUse is an empty list.', []),
      withTermsOfUse('termsOfUse is an empty object.', {}),
      withDefect('termsOfUse is the right address as a string.', {
        change: ({ issuer, tirBaseUrl }) => ({
          vc: { termsOfUse: createTermsOfUseUrl(tirBaseUrl, issuer) },
        }),
      }),
      withTermsOfUse('termsOfUse.id is null.', { id: null, type: 'TrustedIssuersRegistryEntry' }),
    ],
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
    sends:
      'Credentials whose termsOfUse.id names a DID of the other environment, or is almost below the TIR, and credentials of issuers with a DID of the other environment or of another method.',
    remark:
      'Accepting an issuer of the other environment, or of another method, that is in this TIR is a WARN.',
    presentations: ({ trust: { world } }) => [
      ...withDefects('terms-of-use-other-environment', 'terms-of-use-other-host'),
      ...asPractice([
        {
          what: 'The issuer, its key and its accreditation have a DID of the other environment.',
          issuer: registerUnder(world, (did) => did.replace('did:org:uc-pre:', 'did:org:uc:')),
        },
        {
          what: 'The issuer, its key and its accreditation have a did:web that ends with a DID.',
          issuer: registerUnder(world, (did) => `did:web:x:${did}`),
        },
      ]),
      withUrl('termsOfUse.id has one more character in the address of the TIR.', (url) =>
        url.replace('/v1/issuers/', '2/v1/issuers/'),
      ),
      withUrl(
        'termsOfUse.id has the address of the TIR as a parameter of another one.',
        (url) => `https://other-tir.example/?at=${url}`,
      ),
      withUrl('termsOfUse.id has another version in its path.', (url) =>
        url.replace('/v1/issuers/', '/v2/issuers/'),
      ),
    ],
  },
  'V40-accreditation-of-another': {
    title: 'A credential that points to the accreditation of another issuer is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8'],
    description:
      'Any DID owner can point to the accreditation of another issuer. The accreditation must belong to the issuer of the credential.',
    fix: 'Compare the DID in termsOfUse.id with iss of the credential. If they differ, reject the presentation.',
    sends:
      'Credentials that point to the accreditation of a TAO, of another issuer, and of a DID that differs in one character.',
    presentations: ({ trust: { world } }) => [
      ...withDefects('terms-of-use-other-did'),
      {
        ...withUrl('The issuer points to the accreditation of another issuer.', () =>
          createTermsOfUseUrl(world.policy.tirBaseUrl, world.issuer),
        ),
        issuer: world.createParty(`not accredited ${randomUUID()}`),
      },
      {
        ...withUrl(
          'The DID of the issuer is that of the accreditation and one more character.',
          () => createTermsOfUseUrl(world.policy.tirBaseUrl, world.issuer),
        ),
        issuer: registerSimilar(world, world.issuer),
      },
      ...accreditSimilar(world, world.issuer).map(({ what, url }) =>
        withUrl(`termsOfUse.id is that of an accredited DID that ${what}.`, () => url),
      ),
      withUrl('The DID in termsOfUse.id has one more character.', (url) =>
        url.replace('/attributes/', '2/attributes/'),
      ),
    ],
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
    presentations: [
      ...withDefects('terms-of-use-not-hex'),
      ...nearMisses
        .filter(({ what }) => what !== 'has upper case and lower case exchanged')
        .map(({ what, change }) => withUrl(`termsOfUse.id ${what}.`, change)),
      ...asPractice([
        withUrl('termsOfUse.id has a query.', (url) => `${url}?revision=1`),
        withUrl('termsOfUse.id has a fragment.', (url) => `${url}#body`),
        withUrl('termsOfUse.id has a slash at its end.', (url) => `${url}/`),
        withUrl('termsOfUse.id has two slashes in place of one.', (url) =>
          url.replace('/v1/issuers/', '//v1/issuers/'),
        ),
        ...untrimmedMisses.map(({ what, change }) => withUrl(`termsOfUse.id ${what}.`, change)),
      ]),
      withUrl('termsOfUse.id has 0x before the attributeId.', (url) =>
        url.replace('/attributes/', '/attributes/0x'),
      ),
      withUrl('termsOfUse.id has one more segment before the DID.', (url) =>
        url.replace('/v1/issuers/', '/v1/issuers/a/'),
      ),
      withUrl('termsOfUse.id has another path between the identifiers.', (url) =>
        url.replace('/attributes/', '/revisions/'),
      ),
    ],
  },
})

function withTermsOfUse(what: string, termsOfUse: unknown): PresentationCase {
  return withDefect(what, { change: () => ({ vc: { termsOfUse } }) })
}

/** A credential with another `termsOfUse.id`. */
function withUrl(what: string, change: (url: string) => string): PresentationCase {
  return withDefect(what, {
    change: ({ issuer, tirBaseUrl }) => ({
      vc: {
        termsOfUse: {
          id: change(createTermsOfUseUrl(tirBaseUrl, issuer)),
          type: 'TrustedIssuersRegistryEntry',
        },
      },
    }),
  })
}

/** The same registries answer for this DID, so that only the DID is wrong. */
function registerUnder(world: TrustWorld, change: (did: string) => string): Party {
  const party = world.createParty(`issuer ${randomUUID()}`)
  const issuer = { ...party, did: change(party.did), kid: change(party.kid) }
  world.use(issuer.kid, issuer.privateKey, 'assertionMethod')
  world.publish(issuer, world.tao, 'TI')
  return issuer
}
