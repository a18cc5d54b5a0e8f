/** What to do where a rule of a credential, or of the accreditations above it, is broken. */
export const credentialAdvice: Readonly<Record<string, string>> = {
  'credential.format': 'Hand over the credential as a compact JWT with a vc claim.',
  'credential.context': 'The issuer has to put https://www.w3.org/ns/credentials/v2 first.',
  'credential.type-chain':
    'The issuer has to list every type of the chain: VerifiableCredential, LEARCredential, its own.',
  'credential.type':
    'Ask for this type, or have the verifier accept it; a type below the accepted one is another.',
  'credential.power': 'The issuer has to put at least one power into mandate.power.',
  'credential.employee-id': 'The issuer has to fill mandate.mandatee.employeeId.',
  'credential.expiry': 'The holder has to obtain a new credential.',
  'credential.not-before': "Wait for validFrom, or set the issuer's clock right.",
  'credential.issued-at': 'The issuer has to put the time of signing into iat; compare the clocks.',
  'credential.algorithm':
    "The issuer has to sign with the algorithm of its registered key's curve.",
  'credential.issuer':
    'iss, vc.issuer and kid have to name one DID of this environment; kid is <DID>#<vMethodId>.',
  'credential.issuer-document': 'The issuer has to be registered in the DID registry.',
  'credential.issuer-key':
    'The issuer has to sign with a key in its assertionMethod: add the relationship, or roll the key.',
  'credential.signature':
    'Compare the key that signed with the registered one; a changed credential has to be issued anew.',
  'credential.holder':
    'Only who it was issued to can present it: check the holder DID of the proof.',
  'credential.terms-of-use':
    "The issuer has to point termsOfUse.id at its own accreditation in this environment's TIR.",
  'credential.status':
    'A revoked credential stays so: obtain a new one. A list that fails is for its issuer to mend.',
  'trust.attribute': 'Publish the accreditation in the TIR, or mend the address in termsOfUse.id.',
  'trust.parent': 'The TIR has to name the attribute of the TAO that accredited.',
  'trust.root':
    'The chain has to end at a root that is trusted here: add it, or accredit below it.',
  'trust.length': 'Accredit closer to the root.',
  'trust.cycle': 'Have one of the accreditations made by somebody nearer to the root.',
  'trust.not-revoked': 'A revoked accreditation stays so: the TAO has to publish a new one.',
  'trust.role': 'Only a TAO or the RTAO may accredit: have one do it.',
  'trust.signature':
    'The TAO that the TIR names has to sign with a key that is in its assertionMethod now.',
  'trust.subject': "The accreditation's subject has to be the DID under which it is published.",
  'trust.attribute-id':
    'Make the accreditation for the attribute that holds it (reservedAttributeId).',
  'trust.period': 'The TAO has to publish a new revision that is valid now.',
  'trust.accredited-for': 'The TAO has to accredit for this credential type (accreditedFor).',
  'accreditation.published': 'Publish it with setAttributeMetadata, then setAttributeData.',
  'accreditation.current': 'Read the attribute again: it has changed since.',
}
