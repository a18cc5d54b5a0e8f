import { z } from 'zod'
import { exampleAttribute } from '../domain/examples.ts'

/** The path members that name an attribute (Document 2, Endpoints). */
export const attributeParams = z.object({
  did: z.string().describe('The subject').meta({ example: exampleAttribute.did }),
  attributeId: z
    .string()
    .regex(/^[0-9a-fA-F]+$/, 'must be hexadecimal, without 0x')
    .describe('Identifier of the attribute, without 0x')
    .meta({ example: exampleAttribute.attribute.hash }),
})
