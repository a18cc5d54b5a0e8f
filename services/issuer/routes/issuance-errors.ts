import {
  connectorFailed,
  connectorProfileNotConfigured,
  missingData,
  powersNotAuthorized,
  vcTypeNotConfigured,
} from '../errors.ts'

/**
 * How the two issuance endpoints refuse (Document 1, Errors), for their documentation.
 *
 * @row 1.errors.2..4
 */
export const issuanceErrors = [
  missingData(['email']),
  powersNotAuthorized(),
  vcTypeNotConfigured('OrgPortalLearCredential'),
  connectorProfileNotConfigured('default'),
  connectorFailed('it did not answer'),
]
