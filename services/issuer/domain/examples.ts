/** Example values in the interactive documentation. */
export const examplePower = {
  type: 'domain',
  domain: 'ORG',
  function: 'Onboarding',
  action: ['execute'],
}

export const exampleCredentialId = 'urn:uuid:0b0f6b1e-6f3a-4a53-9a3f-0d6a3f1c2b7e'
export const exampleSubjectId = '5f2c8a1e-93b4-4a0c-8d57-2f6a1c9e7b40'
export const exampleOrganization = 'VATES-A12345678'

export const exampleMandate = {
  mandator: {
    organizationIdentifier: exampleOrganization,
    organization: 'Almenara Logistics',
    commonName: 'Ana Ruiz',
    country: 'ES',
    email: 'ana.ruiz@almenara.example',
    serialNumber: 'ES-12345678Z',
  },
  mandatee: {
    employeeId: 'E-7',
    email: 'eva.sanz@almenara.example',
    firstName: 'Eva',
    lastName: 'Sanz',
  },
  power: [examplePower],
}
