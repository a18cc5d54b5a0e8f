import type { Organization } from '#scenarios/harness/z-testbed-file.ts'

/** Organizations that every testbed knows, with different authorized powers. */
export const organizations: readonly [Organization, Organization, ...Organization[]] = [
  {
    organizationIdentifier: 'VATES-A12345678',
    organization: 'Almenara Logistics',
    representative: {
      email: 'ana.ruiz@almenara.example',
      userIdentifier: 'ES-12345678Z',
      givenName: 'Ana',
      familyName: 'Ruiz',
    },
    authorizedPowers: [
      { type: 'domain', domain: 'ORG', function: 'Onboarding', action: ['execute'] },
      {
        type: 'domain',
        domain: 'ORG',
        function: 'Catalogue',
        action: ['create', 'read', 'update'],
      },
    ],
  },
  {
    organizationIdentifier: 'VATES-B87654321',
    organization: 'Brisa Energy',
    representative: {
      email: 'bruno.sanz@brisa.example',
      userIdentifier: 'ES-87654321X',
      givenName: 'Bruno',
      familyName: 'Sanz',
    },
    authorizedPowers: [
      { type: 'domain', domain: 'ORG', function: 'Catalogue', action: ['read'] },
      { type: 'domain', domain: 'ORG', function: 'Metering', action: ['read', 'submit'] },
    ],
  },
  {
    organizationIdentifier: 'VATES-C24681357',
    organization: 'Carballo Foods',
    representative: {
      // The address does not contain the person's name, so the name must come from the claims.
      email: 'info@carballo.example',
      userIdentifier: 'ES-24681357C',
      givenName: 'Nerea',
      familyName: 'Castro Vidal',
    },
    authorizedPowers: [
      { type: 'domain', domain: 'ORG', function: 'Catalogue', action: ['read', 'update'] },
    ],
  },
]
