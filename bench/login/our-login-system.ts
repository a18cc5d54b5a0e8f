import { createPresentationSubmission } from '#core/oid4vp/presentation-submission.ts'
import type { LoginSystem } from './login-system.ts'

const presentation_submission = JSON.stringify(
  createPresentationSubmission({ id: 'x', queryId: 'lear_credential' }),
)

/** Our IDP at an address. */
export const ourLoginSystem = (baseUrl: string): LoginSystem => ({
  authorizationEndpoint: `${baseUrl}/accounts/authorize`,
  tokenEndpoint: `${baseUrl}/accounts/token`,
  userinfoEndpoint: `${baseUrl}/accounts/userinfo`,
  scope: 'openid profile email openid-vp-lear',
  linkOf: (page) =>
    (/id="same-device"[^>]* href="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&'),
  statusUrlOf: (page) =>
    `${baseUrl}/idp/api/auth/requests?session=${/data-session="([^"]*)"/.exec(page)?.[1]}`,
  formOf: (vp_token, { state }) => ({ vp_token, presentation_submission, state }),
})
