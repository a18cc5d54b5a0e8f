import {
  connectorApiKey,
  type IssuanceSystem,
  postJson,
} from '#test/support/start-issuance-system.ts'

/** The status of a record, as the issuer lists it. */
export async function readRecordStatus(
  { issuer, tokenIssuer }: IssuanceSystem,
  subjectId: string,
): Promise<string | undefined> {
  const { body } = await postJson(
    `${issuer.baseUrl}/issuance/credential`,
    { organization_identifiers: ['VATES-A12345678'] },
    { authorization: `Bearer ${await tokenIssuer.mint()}` },
  )
  const records = body as unknown as { subject_id: string; status: string }[]
  return records.find(({ subject_id }) => subject_id === subjectId)?.status
}

/** What a connector tells its issuers of an issuance. */
export async function readIssuance(connectorUrl: string, subjectId: string): Promise<unknown> {
  const answer = await fetch(`${connectorUrl}/credentials/issued/${subjectId}`, {
    headers: { 'x-api-key': connectorApiKey },
  })
  return answer.json()
}
