import { createLearCredential } from '#core/lear-credential/lear-credential.ts'

/** What a mapper's author looks at: the `vc` claim of a credential as issuers of ours make it. */
export const sampleCredential = createLearCredential({
  id: 'urn:uuid:00000000-0000-4000-8000-000000000001',
  issuerDid: 'did:org:uc-pre:z1SampleIssuer',
  holderDid: 'did:key:zQ3sSampleHolder',
  mandate: {
    mandator: {
      organizationIdentifier: 'VATES-A12345678',
      organization: 'Sample Organization',
      commonName: 'Ana Ruiz',
      country: 'ES',
      email: 'ana.ruiz@sample.example',
      serialNumber: 'IDCES-12345678Z',
    },
    mandatee: {
      employeeId: 'EMP-1',
      email: 'ana.ruiz@sample.example',
      firstName: 'Ana',
      lastName: 'Ruiz',
    },
    power: [{ type: 'domain', domain: 'Org', function: 'Onboarding', action: ['execute'] }],
  },
  termsOfUseUrl: 'https://tir.example/trusted-issuers-registry/v4/issuers/sample',
  now: 1_767_225_600,
  validUntil: 1_798_761_600,
}).vc
