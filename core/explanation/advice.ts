import type { RuleVerdict } from './explanation.ts'

/** What to do if a rule of a credential, or of the accreditations above it, is broken. */
const credentialAdvice: Readonly<Record<string, string>> = {
  'credential.format': 'Provide the credential as a compact JWT with a vc claim.',
  'credential.context': 'The issuer must put https://www.w3.org/ns/credentials/v2 first.',
  'credential.type-chain':
    'The issuer must list every type of the chain: VerifiableCredential, LEARCredential, its own.',
  'credential.type':
    'Request the accepted type, or configure the verifier to accept this type. Subtypes do not count.',
  'credential.power': 'The issuer must put at least one power into mandate.power.',
  'credential.employee-id': 'The issuer must fill in mandate.mandatee.employeeId.',
  'credential.expiry': 'The holder must request a new credential.',
  'credential.not-before': "Wait until validFrom, or correct the issuer's clock.",
  'credential.issued-at': 'The issuer must put the signing time into iat. Compare the clocks.',
  'credential.algorithm': "The issuer must sign with the algorithm for its registered key's curve.",
  'credential.issuer':
    'iss, vc.issuer and kid must name the same DID of this environment. kid is <DID>#<vMethodId>.',
  'credential.issuer-document': 'The issuer must be registered in the DID registry.',
  'credential.issuer-key':
    'The issuer must sign with a key in its assertionMethod: add the relationship or roll the key.',
  'credential.signature':
    'Compare the signing key with the registered key. A modified credential must be issued again.',
  'credential.holder':
    'Only the holder named in the credential can present it. Check the holder DID of the proof.',
  'credential.terms-of-use':
    "The issuer must point termsOfUse.id to its own accreditation in this environment's TIR.",
  'credential.status':
    'A revocation is final: request a new credential. The issuer must fix an invalid status list.',
  'trust.attribute':
    'Publish the accreditation in the TIR, or correct the address in termsOfUse.id.',
  'trust.parent': 'The TIR must name the attribute of the accrediting TAO.',
  'trust.root':
    'The chain must end at a trusted root. Add its root to the trusted roots, or accredit below one.',
  'trust.length': 'Accredit closer to the root.',
  'trust.cycle': 'Have an organization nearer to the root issue one of the accreditations.',
  'trust.not-revoked': 'A revocation is final: the TAO must publish a new accreditation.',
  'trust.role': 'Only a TAO or the RTAO may accredit. Have one of them issue the accreditation.',
  'trust.signature':
    'The TAO that the TIR names must sign with a key that is in its assertionMethod now.',
  'trust.subject': "The accreditation's subject must be the DID under which it is published.",
  'trust.attribute-id':
    'Create the accreditation for the attribute that contains it (reservedAttributeId).',
  'trust.period': 'The TAO must publish a new revision that is valid now.',
  'trust.accredited-for': 'The TAO must accredit for this credential type (accreditedFor).',
  'accreditation.published': 'Publish it with setAttributeMetadata, then setAttributeData.',
  'accreditation.current': 'Read the attribute again. It has changed.',
}

/** What to do if a rule of an offer, issuer metadata or a proof of possession is broken. */
const issuanceAdvice: Readonly<Record<string, string>> = {
  'offer.uri': 'Use an openid-credential-offer: link.',
  'offer.delivery': 'Send either credential_offer or credential_offer_uri, once.',
  'offer.reference': 'The issuer must serve the offer at credential_offer_uri.',
  'offer.shape': 'Send the offer as a JSON object, URL-encoded in the link.',
  'offer.credential-issuer': "Use the issuer's http or https URL.",
  'offer.credentials':
    'List the ids of credentials_supported in credentials (not credential_configuration_ids).',
  'offer.grants': 'Make grants an object with the grant type as the member name.',
  'offer.pre-authorized-code': 'Put the code into pre-authorized_code, as a string.',
  'offer.tx-code': 'Omit tx_code if no PIN is required. length must be an integer.',
  'metadata.shape': 'Serve the metadata as a JSON object.',
  'metadata.credential-issuer': "Use the issuer's http or https URL.",
  'metadata.credential-endpoint': 'Use the URL of POST /credential.',
  'metadata.credentials-supported':
    'List each credential in credentials_supported, with format, id and types.',
  'metadata.issuer': 'Serve the metadata below the address in credential_issuer.',
  'proof.format': 'Send the proof as a compact JWT.',
  'proof.typ': 'The wallet must set typ to openid4vci-proof+jwt.',
  'proof.alg': 'The wallet must sign with ES256K or EdDSA.',
  'proof.header-key':
    'The key is compromised. Create a new key. The wallet must never send private keys.',
  'proof.kid': 'The wallet must set kid to the DID URL of its key, with fragment.',
  'proof.did-method': 'The wallet must use a did:key or did:jwk.',
  'proof.key':
    'The identifier must contain a secp256k1 or Ed25519 key, and the fragment must name it.',
  'proof.curve': 'alg must be ES256K for secp256k1 and EdDSA for Ed25519.',
  'proof.iss': 'iss must be the DID in kid, without fragment.',
  'proof.aud': 'aud must be exactly the credential_issuer.',
  'proof.iat': "Create a new proof. Compare the wallet's clock with the issuer's.",
  'proof.exp': 'Create a new proof.',
  'proof.nbf': "Omit nbf, or compare the wallet's clock with the issuer's.",
  'proof.nonce-missing': 'Put the c_nonce of the token response into nonce.',
  'proof.nonce': 'Use the latest c_nonce of this session.',
  'proof.signature': 'The wallet must sign with the key that kid names.',
}

/** What to do if a rule of a presentation or a presentation request is broken. */
const presentationAdvice: Readonly<Record<string, string>> = {
  'presentation.form': 'The wallet must post one presentation JWT in the field vp_token.',
  'presentation.typ': 'The wallet must set typ to JWT.',
  'presentation.algorithm': 'The wallet must sign with ES256K or EdDSA.',
  'presentation.kid':
    'The wallet must set kid to the key of its did:key or did:jwk, with fragment.',
  'presentation.issuer': 'iss must be the DID in kid, without fragment.',
  'presentation.signature': 'The wallet must sign with the key that kid names.',
  'presentation.audience': "aud must be the verifier's client_id, as a single string.",
  'presentation.nonce': 'The wallet must copy nonce from the request that it answers.',
  'presentation.issued-at': "Compare the wallet's clock with the verifier's.",
  'presentation.expiry': 'Present again. exp must be at most 15 minutes after iat.',
  'presentation.not-before': "Omit nbf, or compare the wallet's clock with the verifier's.",
  'presentation.context': 'vp.@context must start with https://www.w3.org/2018/credentials/v1.',
  'presentation.type': 'vp.type must contain VerifiablePresentation.',
  'presentation.credentials': 'Put exactly one credential JWT into vp.verifiableCredential.',
  'submission.format': 'Post presentation_submission as URL-encoded JSON with an id.',
  'submission.definition-id': 'definition_id must be the string dcql_query.',
  'submission.descriptor-map':
    'Map the query id: jwt_vp at $, path_nested jwt_vc at $.vp.verifiableCredential[0].',
  'request.uri': 'Use an openid4vp: link.',
  'request.delivery': 'Send each parameter once, and either request or request_uri.',
  'request.reference': 'The verifier must serve the request at request_uri.',
  'request.format': 'Serve the request as a compact JWT, or as JSON.',
  'request.typ': 'The verifier must set typ to oauth-authz-req+jwt.',
  'request.client-id':
    "client_id must be the verifier's DID, in the link, the payload, iss and kid.",
  'request.signature':
    'The verifier must sign with a key of its DID that is now in authentication or assertionMethod.',
  'request.expiry': 'Start a new request. Compare the clocks.',
  'request.response-type': 'Set response_type to vp_token.',
  'request.response-mode': 'Set response_mode to direct_post.',
  'request.response-uri': 'Use the http or https URL that receives the response.',
  'request.redirect-uri': 'Omit redirect_uri. The response to the post may contain it.',
  'request.nonce': 'Send a fresh random nonce.',
  'request.presentation-definition': 'Use dcql_query instead.',
  'request.dcql-query':
    'List credentials, each with an id, format jwt_vc_json, and types in meta.vct_values.',
}

/** What to do if a rule of a DID document, a TIR attribute or a status list is broken. */
const registryAdvice: Readonly<Record<string, string>> = {
  'attribute.shape': 'Provide the response of GET /v1/issuers/{did}/attributes/{attributeId}.',
  'attribute.did': 'Put the DID of the accredited organization into did.',
  'attribute.body': "Put the accreditation's JWT, base64url, into attribute.body.",
  'attribute.hash': 'Put the attributeId, without 0x, into attribute.hash.',
  'attribute.issuer-type': 'Use one of RTAO, TAO, TI, REVOKED.',
  'attribute.root-tao': 'Put the DID of the root into attribute.rootTao.',
  'attribute.tao': 'Put the DID of the accrediting organization into attribute.tao.',
  'status-list.issuer': 'The issuer of the credentials in the list must sign the list.',
  'status-list.key': 'Sign the list again, with a key that is in assertionMethod now.',
  'status-list.signature': 'Compare the signing key with the registered key, then sign again.',
  'status-list.shape': 'vc needs an id; its subject needs type, statusPurpose and encodedList.',
  'status-list.id': 'Serve the list at the address that the credential names.',
  'status-list.type':
    'Use BitstringStatusListCredential with BitstringStatusList, or both types of StatusList2021.',
  'status-list.purpose': 'Serve a list with the purpose that the credential names.',
  'status-list.period': 'The issuer must sign a new list. Compare the clocks.',
  'status-list.entries':
    'Compress at least 131072 bits with gzip and encode them in base64url, with the prefix u.',
  'did-document.shape': 'Provide the DID document as a JSON object.',
  'did-document.context': 'Make @context a list.',
  'did-document.id': 'Put the DID into id.',
  'did-document.controller': 'Make controller a list of strings.',
  'did-document.verification-method': 'Each method needs id, type, controller and publicKeyJwk.',
  'did-document.assertion-method': 'Always include assertionMethod, even if it is empty.',
  'did-document.authentication': 'Make authentication a list of ids, or omit it.',
  'did-document.also-known-as': 'Make alsoKnownAs a list of strings, or omit it.',
  'did-document.did':
    'Use a DID of the registry: did:org:uc: or did:org:uc-pre: followed by the identifier.',
  'did-document.method-id': 'Give each method a unique id: <DID>#<vMethodId>.',
  'did-document.method-type':
    'Set type to JsonWebKey2020 for every method, regardless of its curve.',
  'did-document.key': 'Use a public key of secp256k1, P-256 or Ed25519, without private members.',
  'did-document.relationship': 'Relationships must name methods that the document lists.',
}

const broken: Readonly<Record<string, string>> = {
  ...credentialAdvice,
  ...presentationAdvice,
  ...issuanceAdvice,
  ...registryAdvice,
}

/** Rules that need input from the user, not from a registry. */
const notKnown: Readonly<Record<string, string>> = {
  'presentation.audience': "Specify the verifier: the request's client_id.",
  'presentation.nonce': 'Specify the nonce of the request.',
  'submission.descriptor-map': "Specify the query: the id in the request's dcql_query.",
  'proof.aud': 'Specify the credential issuer.',
  'proof.nonce': 'Specify the c_nonce of the session.',
  'metadata.issuer': 'Specify the issuer that it was fetched for.',
  'offer.reference': 'Allow fetching, or provide the content of that address.',
  'request.reference': 'Allow fetching, or provide the content of that address.',
}

const askRegistries =
  'Specify the registries and the root of its environment, and check that they are available.'

/** Returns what to do about a rule that is broken or could not be checked. */
export function adviceFor(rule: string, verdict: Exclude<RuleVerdict, 'held'>): string | undefined {
  return verdict === 'broken' ? broken[rule] : (notKnown[rule] ?? askRegistries)
}
