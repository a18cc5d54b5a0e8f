/** Path of a client's page. */
export function clientAddress(clientId: string): string {
  return `/admin/clients/${encodeURIComponent(clientId)}`
}
