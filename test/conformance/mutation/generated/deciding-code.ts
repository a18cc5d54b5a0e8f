import type { NodePath, types } from '@babel/core'
import type { PlanName } from '#conformance/kit/check.ts'

/**
 * Core without the parts that do not decide: what people read, such as explanations and the deviations
 * from the standard that they name, the link in a message that a person pastes, generated tables, the
 * transport, and caches that only save time.
 */
const core = [
  'core/!(contracts|dialect|explanation|html|http|link|memory|profile|qr|text)/**/!(evaluate-shape|mask-secrets|verification-cache).ts',
]

/**
 * Files of a service that do not decide: examples, explanations and explorers for people, the
 * interfaces between issuer and connector, and the offers that an operator orders. The profile does
 * not describe those, so that a plan can neither call them nor expect anything of them.
 */
const excluded =
  'custom-offer|examples|explanation|explorer|offer-mail|connector|issued-credentials|offer-orders|serve-connector'

/** The folders of services with their rules. */
const rulesOf = (...services: string[]) =>
  services.map((service) => `services/${service}/{domain,operations,routes}/**/!(${excluded}).ts`)

/**
 * Core for a part that reads the registries while the kit plays neither of them: every answer is
 * correct there, so that the code of their client has nothing to decide.
 */
const without = (globs: readonly string[], ...folders: string[]) =>
  globs.map((glob) => glob.replace('!(', `!(${folders.join('|')}|`))

/**
 * The code whose mutants a plan must detect, as globs from the root of the repository: the rules in
 * core, and what the part under test decides itself.
 */
export const decidingCode: Readonly<Record<PlanName, readonly string[]>> = {
  wallet: [...core, 'wallet-emulator/actions/**/*.ts'],
  verifier: [...core, ...rulesOf('verifier')],
  issuer: [
    ...without(core, 'did', 'ethereum', 'trust', 'registries'),
    ...rulesOf('issuer', 'connector'),
  ],
  idp: [...core, ...rulesOf('idp')],
  // openid-client decides there.
  'relying-party': [],
  'did-registry': [...without(core, 'registries'), ...rulesOf('did-registry')],
  tir: [...without(core, 'registries'), ...rulesOf('tir')],
}

/**
 * The services that are a plan's part. It also needs others, which have no mutants: in the plan of
 * the TIR, a mutant of the DID registry would show as a failed premise.
 */
export const partServices: Readonly<Record<PlanName, readonly string[]>> = {
  wallet: [],
  verifier: ['verifier'],
  issuer: ['issuer', 'connector'],
  idp: ['idp', 'verifier'],
  'relying-party': [],
  'did-registry': ['did-registry'],
  tir: ['tir'],
}

/** The contract with the rules of a plan's part, and the sources that its code consists of. */
export const decidingContracts: Partial<
  Readonly<Record<PlanName, { readonly contract: string; readonly files: readonly string[] }>>
> = {
  'did-registry': {
    contract: 'DidRegistry',
    files: [
      'contracts/DidRegistry.sol',
      'contracts/libraries/DidIdentifier.sol',
      'contracts/libraries/Secp256k1.sol',
      'contracts/libraries/TextHistory.sol',
      'contracts/libraries/ValidityWindows.sol',
    ],
  },
  tir: { contract: 'TrustedIssuersRegistry', files: ['contracts/TrustedIssuersRegistry.sol'] },
}

/** Members whose value is read by people. */
export const textMembers: ReadonlySet<string> = new Set([
  'advice',
  'cause',
  'checked',
  'clause',
  'description',
  'detail',
  'documentation',
  'documented',
  'documents',
  'example',
  'examples',
  'explanation',
  'fix',
  'follows',
  'got',
  'hint',
  'hints',
  'label',
  'message',
  'note',
  'notes',
  'observed',
  'operationId',
  'reason',
  'statement',
  'summary',
  'tags',
  'text',
  'title',
])

/** Members of a route that describe its answers. */
export const documentedOfRoute: ReadonlySet<string> = new Set(['responses', 'errors'])

/**
 * Calls whose arguments are read by people: zod's documentation, logs, markup, the page of a failed
 * login, broken rules, and the events and errors of the wallet.
 */
const textCalls = new Set(
  'debug describe emit error fail failedPage html info lack meta note parameter trace walletError warn'.split(
    ' ',
  ),
)

/** Calls whose effect is text for people: without them every decision is the same. */
const telling =
  /(^|\.)log(\.(debug|error|info|trace|warn)|\[.*\])$|(^|\.)note$|^wallet\.emit$|^checked\.push$|^recordVerdicts$/

/** Declarations that have no mutants, by the reason. */
const leftOut: Readonly<Record<string, string>> = {
  // What an issuer sends to its own Connector: a plan can neither see nor change it.
  'an internal interface': 'zMandator zMandatee zMandate',
  // They only shape what an explanation or the prompt for a PIN shows, or select the sentence that a
  // page of a failed login shows: a plan sees that the login failed, not in which words.
  'an explanation':
    'below causes checkedProofRules conclude failureReason findWhyUnread orderByCause pinPromptOf placeOf recordLookups shorten shown vpTokenFormRule',
  // Only the OpenAPI document of the TIR reads them: its handler validates the body itself.
  documentation: 'requestOf zRpcRequest zRpcMessage zRpcFailure zRpcSuccess zOne zRpcAnswer',
  // No document describes their effect: how an issuer derives names and a country that nothing
  // states, and what only matters after an outage of another system.
  'not specified': 'capitalize countryOf keptOfferOf namesFromAddress',
  // For options of the wallet that no verb of its plan sets, and for how deeply a message may be
  // nested and how complex an expression in a query may be, limits that each system sets itself.
  'an option':
    'createCredentialSelector mostMultiplying mostVisits negativeSlice nestsTooDeeply notConfigured placesOfEnvironment quotedNames reactionIn sizeOf visitsOf withoutEnvironment',
  // They parse the configuration of a deployment, which a plan can't change.
  'a configuration': 'parseMapper parseMappers zCredentialType zCredentialTypes',
}

/** At least two words with a space between them: a sentence, not an identifier of a protocol. */
const sentence = /\p{L}{2,}[,:;.]? +\p{L}{2,}/u

/** Whether code of a kind is text for people and not a decision. */
type TextRule = readonly [why: string, isText: (path: NodePath) => boolean]

/** Sentences, markup, logs, documentation, the messages of errors, and what is left out by name. */
const textRules: readonly TextRule[] = [
  ['a log', (path) => tells(path) || (path.isIfStatement() && onlyTells(path))],
  ['a sentence', (path) => path.isStringLiteral() && sentence.test(path.node.value)],
  ['a tagged template', ({ node, parent }) => isTemplate(node) && isTagged(parent)],
  ['a sentence', ({ node }) => isTemplate(node) && hasSentence(node)],
  ['a choice of words', (path) => path.isConditionalExpression() && choosesText(path)],
  ['a part of sentences', (path) => path.isVariableDeclarator() && isOnlyTold(path)],
  ['no change', (path) => path.isBlockStatement() && endsAnyway(path)],
  // The name of an error's class is in logs; programs read its code.
  ['the name of an error', namesError],
  ['a member for people', (path) => textMembers.has(memberOf(path))],
  // Only the OpenAPI document reads them: an answer is what the handler returns.
  ['documentation', (path) => documentedOfRoute.has(memberOf(path)) && isBeside(path, 'handle')],
  ...Object.entries(leftOut).map(([why, names]): TextRule => {
    const left = new Set(names.split(' '))
    return [why, (path) => left.has(declaredBy(path))]
  }),
  ['an explanation', (path) => path.isFunctionDeclaration() && onlyTellsReasons(path)],
  // Where in the input something is wrong; the message says what.
  [
    'a place',
    (path) => memberOf(path) === 'path' && (isBeside(path, 'message') || isBeside(path, 'error')),
  ],
  // How many rules failed decides; what a failure says is for people.
  ['the text of a failure', ({ node }) => hasMember(node, 'rule') && hasMember(node, 'reason')],
  // The second argument of zod's `refine`.
  ['the text of a failure', ({ node }) => isOnly(node, ['path', 'error'])],
  // The place and the remarks of a verdict on a hop of a chain.
  ['a place', (path) => argumentOf(path) === 'report' && Number(path.key) > 1],
  ['a cache', (path) => memberOf(path) === 'remember'],
  // A server may ignore what a client prefers (RFC 9110, 12.5.1).
  ['a preference', (path) => memberOf(path) === 'accept'],
  // A rule names itself and the place of its failures for people; `evaluate` decides.
  [
    'a member for people',
    (path) => /^(rule|path)$/.test(memberOf(path)) && isBeside(path, 'statement'),
  ],
  [
    'the text of a rule',
    ({ node }) => hasMember(node, 'statement') && !hasMember(node, 'evaluate'),
  ],
  ['an argument for people', (path) => textCalls.has(argumentOf(path))],
  [
    'the message of an error',
    ({ node, parent }) => node.type === 'StringLiteral' && createsError(parent),
  ],
]

/**
 * Why the code in a node is text for people and not a decision; undefined if it may be mutated. The
 * rules are general.
 */
export const whyText = (path: NodePath): string | undefined =>
  textRules.find(([, isText]) => isText(path))?.[0]

/** Whether a statement or expression is a call for a log. */
function tells(path: NodePath): boolean {
  const called = path.isExpressionStatement() ? path.get('expression') : path
  return called.isCallExpression() && telling.test(called.get('callee').toString())
}

const isTemplate = (node: types.Node) => node.type === 'TemplateLiteral'
const isTagged = (parent: types.Node) => parent.type === 'TaggedTemplateExpression'

function hasSentence({ quasis }: types.TemplateLiteral): boolean {
  const texts = quasis.map(({ value }) => value.raw)
  return (
    sentence.test(texts.join(' x ')) && texts.some((text) => / \p{L}{2,}|\p{L}{2,} /u.test(text))
  )
}

function namesError({ node }: NodePath): boolean {
  if (node.type !== 'ClassProperty' || nameOf(node.key) !== 'name') return false
  return node.value?.type === 'StringLiteral' && node.value.value.endsWith('Error')
}

const createsError = (node: types.Node) =>
  node.type === 'NewExpression' && calleeName(node.callee).endsWith('Error')

/** The name of the member that a node is; otherwise empty. */
const memberOf = ({ node }: NodePath): string =>
  node.type === 'ObjectProperty' ? nameOf(node.key) : ''

/** Whether the object of a member has this other one. */
const isBeside = ({ parent }: NodePath, name: string): boolean => hasMember(parent, name)

/** The name of the function whose argument a node is; otherwise empty. */
const argumentOf = ({ listKey, parent }: NodePath): string =>
  listKey === 'arguments' && parent.type === 'CallExpression' ? calleeName(parent.callee) : ''

/** The name that a node declares; empty if it declares none. */
function declaredBy({ node }: NodePath): string {
  const isDeclaration = node.type === 'FunctionDeclaration' || node.type === 'VariableDeclarator'
  return isDeclaration && node.id ? nameOf(node.id) : ''
}

/** Whether a function is only called to write sentences for people. */
function onlyTellsReasons(path: NodePath<types.FunctionDeclaration>): boolean {
  const binding = path.scope.parent?.getBinding(path.node.id?.name ?? '')
  const calls = binding?.referencePaths ?? []
  return path.parent.type === 'Program' && calls.length > 0 && calls.every(isTold)
}

/** Whether a condition only decides about a log. */
function onlyTells(path: NodePath<types.IfStatement>): boolean {
  if (path.node.alternate) return false
  const then = path.get('consequent')
  const inside = then.isBlockStatement() ? then.get('body') : [then]
  return inside.length > 0 && inside.every(tells)
}

/** Whether both outcomes of a condition are words for people. */
const choosesText = (path: NodePath<types.ConditionalExpression>): boolean =>
  [path.get('consequent'), path.get('alternate')].every((each) => whyText(each) !== undefined)

/** Whether a constant is only read to write sentences for people. */
function isOnlyTold(path: NodePath<types.VariableDeclarator>): boolean {
  const { id } = path.node
  const binding = id.type === 'Identifier' ? path.scope.getBinding(id.name) : undefined
  const readers = binding?.referencePaths ?? []
  return readers.length > 0 && readers.every(isTold)
}

/** Whether a value is part of words for people, in its own function. */
function isTold(reader: NodePath): boolean {
  for (let path: NodePath | null = reader; path; path = path.parentPath) {
    if (path.isFunction()) return false
    if (whyText(path) !== undefined) return true
    if (path.isStatement()) return false
  }
  return false
}

/** Whether a block only returns undefined at the end of its function, which does the same. */
function endsAnyway(path: NodePath<types.BlockStatement>): boolean {
  const [only, ...others] = path.node.body
  if (only?.type !== 'ReturnStatement' || others.length > 0) return false
  const value = only.argument
  const isUndefined = !value || (value.type === 'Identifier' && value.name === 'undefined')
  return isUndefined && isLast(path)
}

/** Whether nothing in a function is executed after this statement. */
function isLast(path: NodePath): boolean {
  const { parentPath: parent } = path
  if (!parent) return false
  if (parent.isFunction()) return true
  if (parent.isBlockStatement()) {
    return Number(path.key) === parent.node.body.length - 1 && isLast(parent)
  }
  if (parent.isTryStatement() && parent.node.finalizer) return false
  return (
    (parent.isIfStatement() || parent.isCatchClause() || parent.isTryStatement()) && isLast(parent)
  )
}

/** Whether a node is an object with this member. */
const hasMember = (node: types.Node, name: string): boolean =>
  node.type === 'ObjectExpression' &&
  node.properties.some((member) => 'key' in member && nameOf(member.key) === name)

const isOnly = (node: types.Node, names: readonly string[]): boolean =>
  node.type === 'ObjectExpression' &&
  node.properties.length === names.length &&
  names.every((name) => hasMember(node, name))

const nameOf = (key: { readonly type: string }): string =>
  'name' in key ? String(key.name) : 'value' in key ? String(key.value) : ''

/** The last name of what is called: `warn` of `runtime.log.warn`. */
export function calleeName(callee: { readonly type: string }): string {
  return 'property' in callee ? nameOf(callee.property as { type: string }) : nameOf(callee)
}
