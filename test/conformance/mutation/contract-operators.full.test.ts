import { describe, expect, it } from 'vitest'
import {
  compileContractMutant,
  placeContractMutants,
} from '#test/conformance/mutation/generated/contract-mutants.ts'
import {
  changeContract,
  type SyntaxNode,
} from '#test/conformance/mutation/generated/contract-operators.ts'
import { decidingContracts } from '#test/conformance/mutation/generated/deciding-code.ts'

const { contract, files } = decidingContracts.tir ?? { contract: '', files: [] }
const mutants = placeContractMutants(files)
const changesOf = (name: string, plan: 'did-registry' | 'tir' = 'tir') =>
  placeContractMutants(decidingContracts[plan]?.files ?? [])
    .filter(({ within }) => within.endsWith(`.${name}`))
    .map(({ operator, replacement }) => `${operator}: ${replacement}`)

describe('the operators for contracts', () => {
  it('remove the guard, negate the condition and exchange the results of a question', () => {
    expect(changesOf('_requireTao')).toEqual([
      'RemoveGuard: false',
      'Operator: (msg.sender != _operator || !_didRegistry.isController(taoDid, msg.sender))',
      'Operator: (msg.sender == _operator)',
    ])
  })

  it('move a boundary by one, and reverse it', () => {
    const changes = changesOf('_isOnCurve', 'did-registry')
    expect(changes.filter((change) => /^Operator.*\(y [<>]/.test(change))).toEqual([
      'Operator: (y > _FIELD_PRIME)',
      'Operator: (y < _FIELD_PRIME)',
    ])
  })

  it('return what an unset value would be', () => {
    expect(changesOf('operator')).toEqual(['ReturnDefault: address(0)'])
    expect(changesOf('_isAccredited').filter((change) => /^Return/.test(change))).toEqual([
      'ReturnDefault: true',
      'ReturnDefault: false',
    ])
  })

  it('skip events and assignments, and change the arguments of events', () => {
    const changes = changesOf('_publish')
    expect(changes.filter((change) => change === 'SkipEvent: {}')).toHaveLength(1)
    expect(changes.filter((change) => change === 'SkipAssignment: {}')).toHaveLength(7)
    expect(changes).toContain('ChangeEvent: bytes32(0)')
  })

  it('omit constructors, whose code is not deployed', () => {
    const definition = { nodeType: 'FunctionDefinition', kind: 'constructor', src: '0:1:0' }
    const statement = {
      nodeType: 'ExpressionStatement',
      src: '0:1:0',
      expression: { nodeType: 'FunctionCall', src: '0:1:0' },
    }
    const other: SyntaxNode = { ...definition, kind: 'function', body: statement }
    const text = Buffer.from('f')
    const isCalled = () => true
    expect(changeContract(other, text, isCalled)).toHaveLength(1)
    expect(changeContract({ ...other, kind: 'constructor' }, text, isCalled)).toEqual([])
  })

  it('omit views that no service calls', () => {
    expect(changesOf('isController', 'did-registry')).not.toEqual([])
    expect(changesOf('getAttributeRevision')).toEqual([])
  })
})

it('each contract mutant has its own id', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
})

it('compiles the contract with one mutant', () => {
  const guards = mutants.filter(({ operator }) => operator === 'RemoveGuard')
  const [one, other] = guards.map(({ id }) => compileContractMutant(contract, files, id))
  expect(one?.deployedBytecode).toMatch(/^0x[0-9a-f]{10000}/)
  expect(one?.deployedBytecode).not.toBe(other?.deployedBytecode)
  // The address of the DID registry in four places and the operator in five.
  expect(one?.immutables).toHaveLength(9)
  expect(() => compileContractMutant(contract, files, '00000000')).toThrow('no contract mutant')
})
