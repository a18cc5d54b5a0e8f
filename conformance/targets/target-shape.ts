import { z } from 'zod'
import { isJsonObject } from '#core/json/json-object.ts'
import type { PlanName } from '../kit/check.ts'

/**
 * The description of a value by its schema, as JSON Schema with the marks of the shared pieces:
 * `secret`, `variables` (may contain environment variables), `template` and `commandLine`
 * (may contain placeholders), `placeholders` (which), `verb` (prepared to be called), `certificates`
 * (a PEM file, replaced by its content), `privateKey` (of an account), `example`.
 */
export interface TargetShape {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, TargetShape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: TargetShape | boolean
  readonly items?: TargetShape
  readonly anyOf?: readonly TargetShape[]
  readonly oneOf?: readonly TargetShape[]
  readonly default?: unknown
  readonly description?: string
  readonly example?: string
  readonly secret?: boolean
  readonly variables?: boolean
  readonly template?: boolean
  readonly commandLine?: boolean
  readonly placeholders?: readonly string[]
  readonly verb?: boolean
  readonly certificates?: boolean
  readonly privateKey?: boolean
}

/** The shape of the values that a schema accepts. */
export const shapeOf = (schema: z.ZodType): TargetShape =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as TargetShape

/** The alternatives of a union, or the shape itself. */
export const alternativesOf = (shape: TargetShape): readonly TargetShape[] =>
  shape.anyOf ?? shape.oneOf ?? [shape]

/** Type of a value, as JSON Schema names it. */
export function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

/**
 * Chooses the alternative of a union that a value is meant to be: of its type, with matching fixed
 * members, and with the most members in common. Undefined if none or several match.
 */
export function alternativeFor(shape: TargetShape, value: unknown): number | undefined {
  const ranks = alternativesOf(shape).map((alternative) => rank(alternative, value))
  const best = Math.max(...ranks)
  const indexes = ranks.flatMap((score, index) => (score === best ? [index] : []))
  return best >= 0 && indexes.length === 1 ? indexes[0] : undefined
}

function rank({ type, properties = {}, anyOf }: TargetShape, value: unknown): number {
  const found = typeOf(value)
  const fits =
    type === undefined
      ? anyOf === undefined
      : type === found || (type === 'integer' && found === 'number')
  if (!fits) return -1
  if (!isJsonObject(value)) return 1
  const members = Object.entries(value)
  const contradicts = members.some(([name, member]) => {
    const fixed = properties[name]?.const
    return fixed !== undefined && fixed !== member
  })
  return contradicts ? -1 : members.filter(([name]) => name in properties).length
}

/** The shape that a value should have: a union's alternative, with the marks of the union. */
export function resolveShape(shape: TargetShape, value: unknown): TargetShape | undefined {
  if (!shape.anyOf && !shape.oneOf) return shape
  const index = alternativeFor(shape, value)
  const alternative = index === undefined ? undefined : alternativesOf(shape)[index]
  if (!alternative) return undefined
  const { anyOf, oneOf, description, example, ...marks } = shape
  return { ...marks, ...alternative }
}

/** The shape of a member or element. */
export function shapeOfMember(shape: TargetShape, name: PropertyKey): TargetShape | undefined {
  if (typeof name === 'number') return shape.items
  const { properties = {}, additionalProperties } = shape
  const known = Object.hasOwn(properties, name) ? properties[String(name)] : undefined
  return known ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
}

/** The shape at a path below a value; undefined if no schema describes it. */
export function shapeAt(
  shape: TargetShape,
  value: unknown,
  path: readonly PropertyKey[],
): TargetShape | undefined {
  const [name, ...rest] = path
  if (name === undefined) return shape
  const resolved = resolveShape(shape, value)
  const member = resolved && shapeOfMember(resolved, name)
  return member && shapeAt(member, memberOf(value, name), rest)
}

const memberOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<PropertyKey, unknown>)[name]
    : undefined

/** The value at a path; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce(memberOf, value)

/** `did-registry` as in `zDidRegistryTarget`. */
const schemaNameOf = (plan: PlanName) =>
  `z-${plan}-target`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * The schema of a target file of a plan: `plans/PLAN/z-target.ts`.
 * @throws TypeError if that file does not export a schema
 */
export async function targetSchemaOf(plan: PlanName): Promise<z.ZodType> {
  const module = await import(`../plans/${plan}/z-target.ts`)
  const name = schemaNameOf(plan)
  const schema = module[name] as z.ZodType | undefined
  if (!schema) throw new TypeError(`plans/${plan}/z-target.ts must export ${name}`)
  return schema
}
