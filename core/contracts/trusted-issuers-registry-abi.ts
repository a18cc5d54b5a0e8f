// Generated from contracts/TrustedIssuersRegistry.sol by scripts/compile-contracts.ts.

/** Application binary interface of the contract TrustedIssuersRegistry. */
export const trustedIssuersRegistryAbi = [
  {
    "inputs": [
      {
        "internalType": "contract IDidRegistry",
        "name": "didRegistry_",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "attributeId",
        "type": "bytes32"
      }
    ],
    "name": "TrustedIssuersRegistryAttributeIsImmutable",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "attributeId",
        "type": "bytes32"
      }
    ],
    "name": "TrustedIssuersRegistryAttributeIsRevoked",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "attributeId",
        "type": "bytes32"
      }
    ],
    "name": "TrustedIssuersRegistryAttributeNotPublished",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "attributeId",
        "type": "bytes32"
      }
    ],
    "name": "TrustedIssuersRegistryEmptyData",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "TrustedIssuersRegistryEmptyDid",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "enum ITrustedIssuersRegistry.IssuerType",
        "name": "issuerType",
        "type": "uint8"
      }
    ],
    "name": "TrustedIssuersRegistryInvalidIssuerType",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "taoDid",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "attributeIdTao",
        "type": "bytes32"
      }
    ],
    "name": "TrustedIssuersRegistryNotAccredited",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "attributeId",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "TrustedIssuersRegistryNotAuthorized",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "TrustedIssuersRegistryNotOperator",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "attributeId",
        "type": "bytes32"
      },
      {
        "internalType": "uint256",
        "name": "revision",
        "type": "uint256"
      }
    ],
    "name": "TrustedIssuersRegistryRevisionNotFound",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "didHash",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "attributeId",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "revision",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "bytes",
        "name": "data",
        "type": "bytes"
      }
    ],
    "name": "AttributeDataSet",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "didHash",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "attributeId",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "indexed": false,
        "internalType": "enum ITrustedIssuersRegistry.IssuerType",
        "name": "issuerType",
        "type": "uint8"
      },
      {
        "indexed": false,
        "internalType": "string",
        "name": "taoDid",
        "type": "string"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "attributeIdTao",
        "type": "bytes32"
      }
    ],
    "name": "AttributeMetadataSet",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "didRegistry",
    "outputs": [
      {
        "internalType": "contract IDidRegistry",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "attributeId",
        "type": "bytes32"
      }
    ],
    "name": "getAttribute",
    "outputs": [
      {
        "components": [
          {
            "internalType": "enum ITrustedIssuersRegistry.IssuerType",
            "name": "issuerType",
            "type": "uint8"
          },
          {
            "internalType": "string",
            "name": "taoDid",
            "type": "string"
          },
          {
            "internalType": "bytes32",
            "name": "attributeIdTao",
            "type": "bytes32"
          },
          {
            "internalType": "string",
            "name": "rootTaoDid",
            "type": "string"
          },
          {
            "internalType": "uint256",
            "name": "revisionCount",
            "type": "uint256"
          },
          {
            "internalType": "bytes",
            "name": "data",
            "type": "bytes"
          }
        ],
        "internalType": "struct ITrustedIssuersRegistry.Attribute",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "attributeId",
        "type": "bytes32"
      },
      {
        "internalType": "uint256",
        "name": "revision",
        "type": "uint256"
      }
    ],
    "name": "getAttributeRevision",
    "outputs": [
      {
        "internalType": "bytes",
        "name": "",
        "type": "bytes"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "operator",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "attributeId",
        "type": "bytes32"
      },
      {
        "internalType": "bytes",
        "name": "attributeData",
        "type": "bytes"
      }
    ],
    "name": "setAttributeData",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "revisionId",
        "type": "bytes32"
      },
      {
        "internalType": "enum ITrustedIssuersRegistry.IssuerType",
        "name": "issuerType",
        "type": "uint8"
      },
      {
        "internalType": "string",
        "name": "taoDid",
        "type": "string"
      },
      {
        "internalType": "bytes32",
        "name": "attributeIdTao",
        "type": "bytes32"
      }
    ],
    "name": "setAttributeMetadata",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const
