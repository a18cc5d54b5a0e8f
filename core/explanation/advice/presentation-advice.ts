/** What to do where a rule of a presentation or of a presentation request is broken. */
export const presentationAdvice: Readonly<Record<string, string>> = {
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
