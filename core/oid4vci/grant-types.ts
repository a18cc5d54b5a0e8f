/** The grant of the pre-authorized code flow (OpenID4VCI, section 4.1.1). */
export const preAuthorizedCodeGrant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'
