/** The issuing organization on both sides. */
const issuerDid = 'did:org:uc-pre:z1fNWVvuUi5PtY2REELNATXAnLEf'

export const benchIssuer = {
  issuerDid,
  issuerPrivateKey: `0x${'42'.repeat(32)}`,
  issuerVMethodId: 'issuer-key-1',
  accreditationUrl: `http://127.0.0.1:1/trusted-issuers-registry/v1/issuers/${issuerDid}/attributes/${'ab'.repeat(32)}`,
}

/** The claims of each credential, on both sides. */
export const benchMandate = {
  mandator: {
    organizationIdentifier: 'VATES-A12345678',
    organization: 'Ejemplo S.A.',
    commonName: 'Ana Ruiz',
    country: 'ES',
    email: 'ana.ruiz@example.org',
    serialNumber: 'IDCES-12345678Z',
  },
  mandatee: {
    employeeId: 'E-1',
    email: 'ana.ruiz@example.org',
    firstName: 'Ana',
    lastName: 'Ruiz',
  },
  power: [{ type: 'Domain', domain: 'PORTAL', function: 'Onboarding', action: ['Execute'] }],
}
