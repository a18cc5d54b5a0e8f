import { addr } from 'micro-eth-signer'

export interface ContractAddresses {
  readonly didRegistryAddress: string
  readonly tirAddress: string
}

/**
 * Where the two registries are, or will be: the operator's first two transactions create them, so
 * their addresses are known before there is a chain.
 */
export function contractAddressesOf(operatorAddress: string): ContractAddresses {
  return {
    didRegistryAddress: addr.getCreateAddress(operatorAddress, 0),
    tirAddress: addr.getCreateAddress(operatorAddress, 1),
  }
}
