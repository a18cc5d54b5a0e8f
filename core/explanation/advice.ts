import type { RuleVerdict } from './explanation.ts'

/** What to do where a rule of a credential, or of the accreditations above it, is broken. */
const credentialAdvice: Readonly<Record<string, string>> = {
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

/** What to do where a rule of an offer, of issuer metadata or of a proof of possession is broken. */
const issuanceAdvice: Readonly<Record<string, string>> = {
  'offer.uri': 'Use an openid-credential-offer: link.',
  'offer.delivery': 'Send either credential_offer or credential_offer_uri, once.',
  'offer.reference': 'The issuer has to serve the offer at credential_offer_uri.',
  'offer.shape': 'Send the offer as a JSON object, URL-encoded in the link.',
  'offer.credential-issuer': 'Name the issuer by its http or https address.',
  'offer.credentials':
    'List the ids of credentials_supported in credentials (not credential_configuration_ids).',
  'offer.grants': 'Make grants an object with the grant type as its name.',
  'offer.pre-authorized-code': 'Put the code into pre-authorized_code, as text.',
  'offer.tx-code': 'Leave tx_code out where no PIN is required; length is a whole number.',
  'metadata.shape': 'Serve the metadata as a JSON object.',
  'metadata.credential-issuer': 'Name the issuer by its http or https address.',
  'metadata.credential-endpoint': 'Name the address of POST /credential.',
  'metadata.credentials-supported':
    'List what is issued in credentials_supported: format, id and types of each.',
  'metadata.issuer': 'Serve the metadata below the very address that credential_issuer has.',
  'proof.format': 'Send the proof as a compact JWT.',
  'proof.typ': 'The wallet has to set typ to openid4vci-proof+jwt.',
  'proof.alg': 'The wallet has to sign with ES256K or EdDSA.',
  'proof.header-key': 'That key is lost: the wallet must never send private keys. Make a new one.',
  'proof.kid': 'The wallet has to name its key by a DID URL with fragment in kid.',
  'proof.did-method': 'The wallet has to use a did:key or did:jwk.',
  'proof.key':
    'The identifier has to carry a key of secp256k1 or Ed25519, and the fragment name it.',
  'proof.curve': 'alg has to be ES256K for secp256k1, EdDSA for Ed25519.',
  'proof.iss': 'iss has to be the DID in kid, without fragment.',
  'proof.aud': 'aud has to be the credential_issuer, letter by letter.',
  'proof.iat': "Make the proof anew; compare the wallet's clock with the issuer's.",
  'proof.exp': 'Make the proof anew.',
  'proof.nbf': "Leave nbf out, or compare the wallet's clock with the issuer's.",
  'proof.nonce-missing': 'Put the c_nonce of the token response into nonce.',
  'proof.nonce': 'Use the c_nonce of this very session, the latest one.',
  'proof.signature': 'The wallet has to sign with the key that kid names.',
}

/** What to do where a rule of a presentation or of a presentation request is broken. */
const presentationAdvice: Readonly<Record<string, string>> = {
  'presentation.form': 'The wallet has to post one presentation JWT in the field vp_token.',
  'presentation.typ': 'The wallet has to set typ to JWT.',
  'presentation.algorithm': 'The wallet has to sign with ES256K or EdDSA.',
  'presentation.kid': 'The wallet has to name the key of its did:key or did:jwk, with fragment.',
  'presentation.issuer': 'iss has to be the DID in kid, without fragment.',
  'presentation.signature': 'The wallet has to sign with the key that kid names.',
  'presentation.audience': "aud has to be the verifier's client_id, as one text.",
  'presentation.nonce': 'The wallet has to copy nonce from the request that it answers.',
  'presentation.issued-at': "Compare the wallet's clock with the verifier's.",
  'presentation.expiry': 'Present again; exp has to be at most 15 minutes after iat.',
  'presentation.not-before': "Leave nbf out, or compare the wallet's clock with the verifier's.",
  'presentation.context': 'vp.@context has to start with https://www.w3.org/2018/credentials/v1.',
  'presentation.type': 'vp.type has to hold VerifiablePresentation.',
  'presentation.credentials': 'Put exactly one credential JWT into vp.verifiableCredential.',
  'submission.format': 'Post presentation_submission as URL-encoded JSON with an id.',
  'submission.definition-id': 'definition_id has to be the text dcql_query.',
  'submission.descriptor-map':
    'Map the query id: jwt_vp at $, path_nested jwt_vc at $.vp.verifiableCredential[0].',
  'request.uri': 'Use an openid4vp: link.',
  'request.delivery': 'Send each parameter once, and either request or request_uri.',
  'request.reference': 'The verifier has to serve the request at request_uri.',
  'request.format': 'Serve the request as a compact JWT, or as JSON.',
  'request.typ': 'The verifier has to set typ to oauth-authz-req+jwt.',
  'request.client-id':
    "client_id has to be the verifier's DID: in link, payload, iss and kid alike.",
  'request.signature':
    'The verifier has to sign with a key of its DID that is in authentication or assertionMethod now.',
  'request.expiry': 'Ask for a new request; compare the clocks.',
  'request.response-type': 'Set response_type to vp_token.',
  'request.response-mode': 'Set response_mode to direct_post.',
  'request.response-uri': 'Name the address to post to, by http or https.',
  'request.redirect-uri': 'Leave redirect_uri out: the answer to the post may carry one.',
  'request.nonce': 'Send a fresh random nonce.',
  'request.presentation-definition': 'Ask by dcql_query instead.',
  'request.dcql-query':
    'Give credentials: each with an id, format jwt_vc_json, and types in meta.vct_values.',
}

/** What to do where a rule of a DID document, a TIR attribute or a status list is broken. */
const registryAdvice: Readonly<Record<string, string>> = {
  'attribute.shape': 'Hand over the answer of GET /v1/issuers/{did}/attributes/{attributeId}.',
  'attribute.did': 'Name the subject in did.',
  'attribute.body': "Put the accreditation's JWT, base64url, into attribute.body.",
  'attribute.hash': 'Put the attributeId, without 0x, into attribute.hash.',
  'attribute.issuer-type': 'Use one of RTAO, TAO, TI, REVOKED.',
  'attribute.root-tao': 'Name the root in attribute.rootTao.',
  'attribute.tao': 'Name who accredited in attribute.tao.',
  'status-list.issuer': 'The list has to be signed by the issuer of the credentials in it.',
  'status-list.key': 'Sign the list anew, with a key that is in assertionMethod now.',
  'status-list.signature': 'Compare the key that signed with the registered one; sign anew.',
  'status-list.shape': 'Give vc an id, and its subject type, statusPurpose and encodedList.',
  'status-list.id': 'Serve the list under the address that the credential names.',
  'status-list.type':
    'Use BitstringStatusListCredential with BitstringStatusList, or the two of StatusList2021.',
  'status-list.purpose': 'Serve a list for the purpose in the credential.',
  'status-list.period': 'The issuer has to sign a fresh list; compare the clocks.',
  'status-list.entries': 'Compress with gzip, at least 131072 bits, base64url (with u before it).',
  'did-document.shape': 'Hand over the DID document as a JSON object.',
  'did-document.context': 'Make @context a list.',
  'did-document.id': 'Put the DID into id.',
  'did-document.controller': 'Make controller a list of texts.',
  'did-document.verification-method': 'Give each method id, type, controller and publicKeyJwk.',
  'did-document.assertion-method': 'Always give assertionMethod, empty where there is none.',
  'did-document.authentication': 'Make authentication a list of ids, or leave it out.',
  'did-document.also-known-as': 'Make alsoKnownAs a list of texts, or leave it out.',
  'did-document.did':
    'Use a DID of the registry: did:org:uc: or did:org:uc-pre: and its identifier.',
  'did-document.method-id': 'Name each method <DID>#<vMethodId>, each once.',
  'did-document.method-type': 'Resolve every method as JsonWebKey2020, whatever its curve.',
  'did-document.key': 'Give a public key of secp256k1, P-256 or Ed25519, and nothing private.',
  'did-document.relationship': 'Let relationships name methods that the document lists.',
}

const broken: Readonly<Record<string, string>> = {
  ...credentialAdvice,
  ...presentationAdvice,
  ...issuanceAdvice,
  ...registryAdvice,
}

/** Rules that rest on what whoever asks knows, not on a registry. */
const notKnown: Readonly<Record<string, string>> = {
  'presentation.audience': "Say which verifier it is for: the request's client_id.",
  'presentation.nonce': "Say which nonce it answers: the request's.",
  'submission.descriptor-map': "Say which query it answers: the id in the request's dcql_query.",
  'proof.aud': 'Say which credential issuer it is for.',
  'proof.nonce': 'Say which c_nonce it answers.',
  'metadata.issuer': 'Say which issuer it was fetched for.',
  'offer.reference': 'Allow it to be fetched, or hand over what is at that address.',
  'request.reference': 'Allow it to be fetched, or hand over what is at that address.',
}

const askRegistries =
  'Name the registries and the root of its environment, and see that they answer.'

/** What to do about a rule that is broken, or that could not be checked. */
export function adviceFor(rule: string, verdict: Exclude<RuleVerdict, 'held'>): string | undefined {
  return verdict === 'broken' ? broken[rule] : (notKnown[rule] ?? askRegistries)
}
