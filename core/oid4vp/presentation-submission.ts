import { membersOf } from '#core/json/json-object.ts'
import { parseJsonObject } from '#core/json/read-json.ts'
import { evaluateRules, type Rule, type RuleResults } from '#core/verification/rules.ts'

/** `definition_id` of every submission (profile/verifier, Presentation submission). */
export const submissionDefinitionId = 'dcql_query'

/**
 * Creates the presentation_submission for a presentation with one credential for the query element
 * `queryId` (profile/verifier, Presentation submission). The wallet chooses `id`.
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

interface Context {
  readonly submission: Readonly<Record<string, unknown>> | undefined
  readonly queryId: string | undefined
}

const nestedPath = '$.vp.verifiableCredential[0]'

/** The rules for a presentation_submission (profile/verifier, Presentation submission). */
export const submissionRules: readonly Rule<Context>[] = [
  {
    rule: 'submission.format',
    statement: 'presentation_submission is a JSON object with an id.',
    fix: 'Post presentation_submission as the JSON text of an object with a non-empty string id.',
    path: '',
    evaluate: ({ submission }, { fail }) => {
      if (!submission) fail('it is missing or not a JSON object')
      else if (typeof submission.id !== 'string' || submission.id === '')
        fail('it is missing or not a string', 'id')
    },
  },
  {
    rule: 'submission.definition-id',
    statement: `definition_id is ${submissionDefinitionId}.`,
    fix: `Set definition_id to ${submissionDefinitionId}.`,
    path: 'definition_id',
    evaluate: ({ submission }, { fail }) => {
      const given = submission?.definition_id
      if (given !== submissionDefinitionId)
        fail(`it is not ${submissionDefinitionId}`, undefined, given)
    },
  },
  {
    rule: 'submission.descriptor-map',
    statement: 'descriptor_map maps the query to the credential in the presentation.',
    fix: `Put one element into descriptor_map: the id of the query, format jwt_vp, path $. In its path_nested repeat the id, with format jwt_vc and path ${nestedPath}.`,
    path: 'descriptor_map',
    evaluate: ({ submission, queryId }, { fail, lack }) => {
      const map = submission?.descriptor_map
      if (!Array.isArray(map) || map.length !== 1) {
        fail('it must contain exactly one element')
        return
      }
      const descriptor = membersOf(map[0])
      const nested = membersOf(descriptor.path_nested)
      const expected = [
        ['id', descriptor.id, queryId ?? descriptor.id],
        ['format', descriptor.format, 'jwt_vp'],
        ['path', descriptor.path, '$'],
        ['path_nested.id', nested.id, queryId ?? descriptor.id],
        ['path_nested.format', nested.format, 'jwt_vc'],
        ['path_nested.path', nested.path, nestedPath],
        ['path_nested.path_nested', nested.path_nested, undefined],
      ] as const
      for (const [name, got, wanted] of expected) {
        if (got !== wanted) fail(`it is not ${wanted}`, `descriptor_map.0.${name}`, got)
      }
      if (queryId === undefined) {
        lack({ ok: false, kind: 'not-asked', reason: 'the id of the query is not known' })
      }
    },
  },
]

/**
 * Verifies the presentation_submission of a presentation with one credential, exactly as the
 * document defines it; unknown members are allowed. Takes the text of the form field.
 *
 * @see profile/verifier, Presentation submission
 * @row 1.resources-and-their-fields/presentation-submission.1
 */
export function verifyPresentationSubmission({
  presentationSubmission,
  queryId,
}: {
  readonly presentationSubmission: string | undefined
  /** Undefined if the request is unknown; the rule that compares it is then unchecked. */
  readonly queryId: string | undefined
}): RuleResults {
  return evaluateRules(submissionRules, {
    submission: parseJsonObject(Buffer.from(presentationSubmission ?? '')),
    queryId,
  })
}
