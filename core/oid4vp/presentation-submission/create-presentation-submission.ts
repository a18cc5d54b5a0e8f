/** `definition_id` of every submission (Document 1, presentation_submission). */
export const submissionDefinitionId = 'dcql_query'

/**
 * The presentation_submission for a presentation that holds one credential for the query element
 * `queryId` (Document 1, presentation_submission). `id` is any text of the wallet's own.
 *
 * @row 1.resources-and-their-fields/presentation-submission.1
 */
export function createPresentationSubmission({ id, queryId }: { id: string; queryId: string }) {
  return {
    id,
    definition_id: submissionDefinitionId,
    descriptor_map: [
      {
        id: queryId,
        format: 'jwt_vp',
        path: '$',
        path_nested: {
          id: queryId,
          format: 'jwt_vc',
          path: '$.vp.verifiableCredential[0]',
        },
      },
    ],
  }
}

export type PresentationSubmission = ReturnType<typeof createPresentationSubmission>
