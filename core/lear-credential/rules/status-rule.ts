import { checkStatus } from '#core/status-list/check-status.ts'
import type { Rule } from '#core/verification/evaluate-rules.ts'
import type { CredentialContext } from '../credential-context.ts'

/** The one failure of the rule that says that the credential itself is no longer valid. */
export const revokedReason = 'the credential has been revoked by its issuer'

/**
 * Whether a credential has been revoked, as its issuer says now. The documents know no
 * credentialStatus, so a credential without one passes.
 *
 * @assumption A-23
 */
export const statusRule: Rule<CredentialContext> = {
  rule: 'credential.status',
  statement: 'The credential is not revoked.',
  path: 'vc.credentialStatus',
  evaluate: ({ status, jws, documentNow, now, policy }, { fail, lack, note }) => {
    const { iss } = jws.payload
    if (status.kind === 'absent') {
      note('The credential carries no credentialStatus, so it can not be revoked.')
    } else if (status.kind === 'not-checked') {
      note('Status lists are not looked at in this environment.')
    } else if (status.kind === 'malformed') {
      fail('it is no BitstringStatusListEntry or StatusList2021Entry')
    } else if (status.kind === 'foreign' && policy.credentialIssuerUrls.length === 0) {
      lack({ ok: false, kind: 'not-asked', reason: 'no credential issuer is known here' })
    } else if (status.kind === 'foreign') {
      const bases = policy.credentialIssuerUrls.join(', ')
      const { statusListCredential } = status.entry
      fail(
        `the list is not below ${bases}`,
        'vc.credentialStatus.statusListCredential',
        statusListCredential,
      )
    } else if (!status.list.ok) {
      lack(status.list, `the status list: ${status.list.reason}`)
    } else if (!documentNow.ok) {
      const reason = 'the status list can not be verified without the DID document of the issuer'
      lack(documentNow, reason)
    } else if (typeof iss !== 'string') {
      fail('the status list can not be verified without an issuer')
    } else {
      const { entry, list } = status
      const issuerDocument = documentNow.value
      const issuer = { issuerDid: iss, issuerDocument }
      const result = checkStatus({ entry, statusList: list.value, ...issuer, now })
      if (!result.ok) fail(result.reason)
      else if (result.revoked) fail(revokedReason)
    }
  },
}
