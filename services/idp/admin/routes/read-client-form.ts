import type { IdpConfig } from '../../config.ts'
import { type ClientForm, type ParsedClient, parseClient } from '../../domain/client.ts'

/** A client's form as it was sent, and what it says. */
export function readClientForm(
  fields: Readonly<Record<string, string | undefined>>,
  clientId: string,
  { baseUrl }: Pick<IdpConfig, 'baseUrl'>,
): { readonly form: ClientForm; readonly parsed: ParsedClient } {
  const form = {
    clientId,
    name: fields.name ?? '',
    authentication: fields.authentication ?? '',
    redirectUris: fields.redirect_uris ?? '',
  }
  // Where this service itself has no TLS, its clients in other containers have none either.
  return { form, parsed: parseClient(form, baseUrl.startsWith('http:')) }
}
