// Generated from contracts/DidRegistry.sol by scripts/compile-contracts.ts.

/** Application binary interface of the contract DidRegistry. */
export const didRegistryAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "operator_",
        "type": "address"
      },
      {
        "internalType": "string",
        "name": "didPrefix_",
        "type": "string"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "DidRegistryAccountNotRegistered",
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
        "internalType": "string",
        "name": "controller",
        "type": "string"
      }
    ],
    "name": "DidRegistryControllerAlreadyAdded",
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
        "internalType": "string",
        "name": "controller",
        "type": "string"
      }
    ],
    "name": "DidRegistryControllerNotAdded",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      }
    ],
    "name": "DidRegistryDidAlreadyRegistered",
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
        "internalType": "string",
        "name": "expected",
        "type": "string"
      }
    ],
    "name": "DidRegistryDidMismatch",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      }
    ],
    "name": "DidRegistryDidNotRegistered",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes",
        "name": "proof",
        "type": "bytes"
      }
    ],
    "name": "DidRegistryInvalidProof",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes",
        "name": "publicKey",
        "type": "bytes"
      }
    ],
    "name": "DidRegistryInvalidPublicKey",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "notBefore",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      }
    ],
    "name": "DidRegistryInvalidValidity",
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
        "internalType": "string",
        "name": "controller",
        "type": "string"
      }
    ],
    "name": "DidRegistryLastController",
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
        "name": "vMethodId",
        "type": "bytes32"
      }
    ],
    "name": "DidRegistryNotControlKey",
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
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "DidRegistryNotController",
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
    "name": "DidRegistryNotOnboardingNode",
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
    "name": "DidRegistryNotOperator",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "node",
        "type": "address"
      }
    ],
    "name": "DidRegistryOnboardingNodeAlreadyAuthorized",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "node",
        "type": "address"
      }
    ],
    "name": "DidRegistryOnboardingNodeNotAuthorized",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "currentTime",
        "type": "uint64"
      }
    ],
    "name": "DidRegistryRollInThePast",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "currentTime",
        "type": "uint64"
      }
    ],
    "name": "DidRegistryValidityInThePast",
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
        "name": "vMethodId",
        "type": "bytes32"
      }
    ],
    "name": "DidRegistryVerificationMethodAlreadyAdded",
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
        "name": "vMethodId",
        "type": "bytes32"
      }
    ],
    "name": "DidRegistryVerificationMethodIsRevoked",
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
        "name": "vMethodId",
        "type": "bytes32"
      }
    ],
    "name": "DidRegistryVerificationMethodNotAdded",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "DidRegistryZeroAddress",
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
        "indexed": false,
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "indexed": false,
        "internalType": "string",
        "name": "alsoKnownAs",
        "type": "string"
      }
    ],
    "name": "AlsoKnownAsUpdated",
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
        "indexed": false,
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "indexed": false,
        "internalType": "string",
        "name": "baseDocument",
        "type": "string"
      }
    ],
    "name": "BaseDocumentUpdated",
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
        "name": "controllerHash",
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
        "internalType": "string",
        "name": "controller",
        "type": "string"
      }
    ],
    "name": "ControllerAdded",
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
        "name": "controllerHash",
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
        "internalType": "string",
        "name": "controller",
        "type": "string"
      }
    ],
    "name": "ControllerRevoked",
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
        "name": "vMethodId",
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
        "internalType": "string",
        "name": "baseDocument",
        "type": "string"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "notBefore",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      }
    ],
    "name": "DidDocumentInserted",
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
        "name": "vMethodId",
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
        "internalType": "string",
        "name": "baseDocument",
        "type": "string"
      },
      {
        "indexed": false,
        "internalType": "string",
        "name": "alsoKnownAs",
        "type": "string"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "notBefore",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      }
    ],
    "name": "FirstDidDocumentInserted",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "node",
        "type": "address"
      }
    ],
    "name": "OnboardingNodeAuthorized",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "node",
        "type": "address"
      }
    ],
    "name": "OnboardingNodeWithdrawn",
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
        "name": "vMethodId",
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
        "internalType": "enum IDidRegistry.PublicKeyType",
        "name": "publicKeyType",
        "type": "uint8"
      }
    ],
    "name": "VerificationMethodAdded",
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
        "name": "vMethodId",
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
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      }
    ],
    "name": "VerificationMethodExpired",
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
        "name": "vMethodId",
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
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      }
    ],
    "name": "VerificationMethodRevoked",
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
        "name": "vMethodId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "oldVMethodId",
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
        "internalType": "uint64",
        "name": "notBefore",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "oldNotAfter",
        "type": "uint64"
      }
    ],
    "name": "VerificationMethodRolled",
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
        "name": "vMethodId",
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
        "internalType": "enum IDidRegistry.Relationship",
        "name": "relationship",
        "type": "uint8"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "notBefore",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      }
    ],
    "name": "VerificationRelationshipAdded",
    "type": "event"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "did",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "controller",
        "type": "string"
      }
    ],
    "name": "addController",
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
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "addControllerByAccount",
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
        "name": "vMethodId",
        "type": "bytes32"
      },
      {
        "internalType": "enum IDidRegistry.PublicKeyType",
        "name": "publicKeyType",
        "type": "uint8"
      },
      {
        "internalType": "bytes",
        "name": "publicKey",
        "type": "bytes"
      }
    ],
    "name": "addVerificationMethod",
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
        "internalType": "enum IDidRegistry.Relationship",
        "name": "relationship",
        "type": "uint8"
      },
      {
        "internalType": "bytes32",
        "name": "vMethodId",
        "type": "bytes32"
      },
      {
        "internalType": "uint64",
        "name": "notBefore",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      }
    ],
    "name": "addVerificationRelationship",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "node",
        "type": "address"
      }
    ],
    "name": "authorizeOnboardingNode",
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
      }
    ],
    "name": "controllersOf",
    "outputs": [
      {
        "internalType": "string[]",
        "name": "",
        "type": "string[]"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "didOfAccount",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "didPrefix",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
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
        "name": "vMethodId",
        "type": "bytes32"
      },
      {
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      }
    ],
    "name": "expireVerificationMethod",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "offset",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "limit",
        "type": "uint256"
      }
    ],
    "name": "identifiers",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "total",
        "type": "uint256"
      },
      {
        "internalType": "string[]",
        "name": "page",
        "type": "string[]"
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
        "internalType": "string",
        "name": "baseDocument",
        "type": "string"
      },
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "vMethodId",
            "type": "bytes32"
          },
          {
            "internalType": "bytes",
            "name": "proof",
            "type": "bytes"
          },
          {
            "internalType": "bytes",
            "name": "publicKey",
            "type": "bytes"
          },
          {
            "internalType": "uint64",
            "name": "notBefore",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "notAfter",
            "type": "uint64"
          }
        ],
        "internalType": "struct IDidRegistry.ControlKey",
        "name": "key",
        "type": "tuple"
      }
    ],
    "name": "insertDidDocument",
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
        "internalType": "string",
        "name": "baseDocument",
        "type": "string"
      },
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "vMethodId",
            "type": "bytes32"
          },
          {
            "internalType": "bytes",
            "name": "proof",
            "type": "bytes"
          },
          {
            "internalType": "bytes",
            "name": "publicKey",
            "type": "bytes"
          },
          {
            "internalType": "uint64",
            "name": "notBefore",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "notAfter",
            "type": "uint64"
          }
        ],
        "internalType": "struct IDidRegistry.ControlKey",
        "name": "key",
        "type": "tuple"
      },
      {
        "internalType": "string",
        "name": "alternativeIdentifier",
        "type": "string"
      }
    ],
    "name": "insertFirstDidDocument",
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
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "isController",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "node",
        "type": "address"
      }
    ],
    "name": "isOnboardingNode",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
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
        "internalType": "uint64",
        "name": "time",
        "type": "uint64"
      }
    ],
    "name": "resolve",
    "outputs": [
      {
        "internalType": "bool",
        "name": "found",
        "type": "bool"
      },
      {
        "components": [
          {
            "internalType": "string",
            "name": "baseDocument",
            "type": "string"
          },
          {
            "internalType": "string",
            "name": "alsoKnownAs",
            "type": "string"
          },
          {
            "internalType": "address[]",
            "name": "controllers",
            "type": "address[]"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "vMethodId",
                "type": "bytes32"
              },
              {
                "internalType": "enum IDidRegistry.PublicKeyType",
                "name": "publicKeyType",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "relationships",
                "type": "uint8"
              },
              {
                "internalType": "bytes",
                "name": "publicKey",
                "type": "bytes"
              }
            ],
            "internalType": "struct IDidRegistry.VerificationMethod[]",
            "name": "verificationMethods",
            "type": "tuple[]"
          }
        ],
        "internalType": "struct IDidRegistry.DidDocument",
        "name": "document",
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
        "internalType": "uint64",
        "name": "time",
        "type": "uint64"
      }
    ],
    "name": "resolveAt",
    "outputs": [
      {
        "internalType": "bool",
        "name": "found",
        "type": "bool"
      },
      {
        "components": [
          {
            "internalType": "string",
            "name": "baseDocument",
            "type": "string"
          },
          {
            "internalType": "string",
            "name": "alsoKnownAs",
            "type": "string"
          },
          {
            "internalType": "address[]",
            "name": "controllers",
            "type": "address[]"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "vMethodId",
                "type": "bytes32"
              },
              {
                "internalType": "enum IDidRegistry.PublicKeyType",
                "name": "publicKeyType",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "relationships",
                "type": "uint8"
              },
              {
                "internalType": "bytes",
                "name": "publicKey",
                "type": "bytes"
              }
            ],
            "internalType": "struct IDidRegistry.VerificationMethod[]",
            "name": "verificationMethods",
            "type": "tuple[]"
          }
        ],
        "internalType": "struct IDidRegistry.DidDocument",
        "name": "document",
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
        "internalType": "string",
        "name": "controller",
        "type": "string"
      }
    ],
    "name": "revokeController",
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
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "revokeControllerByAccount",
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
        "name": "vMethodId",
        "type": "bytes32"
      },
      {
        "internalType": "uint64",
        "name": "notAfter",
        "type": "uint64"
      }
    ],
    "name": "revokeVerificationMethod",
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
        "name": "oldVMethodId",
        "type": "bytes32"
      },
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "vMethodId",
            "type": "bytes32"
          },
          {
            "internalType": "enum IDidRegistry.PublicKeyType",
            "name": "publicKeyType",
            "type": "uint8"
          },
          {
            "internalType": "bytes",
            "name": "publicKey",
            "type": "bytes"
          },
          {
            "internalType": "uint64",
            "name": "notBefore",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "notAfter",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "duration",
            "type": "uint64"
          }
        ],
        "internalType": "struct IDidRegistry.SuccessorKey",
        "name": "successor",
        "type": "tuple"
      }
    ],
    "name": "rollVerificationMethod",
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
        "internalType": "string",
        "name": "alternativeIdentifier",
        "type": "string"
      }
    ],
    "name": "updateAlsoKnownAs",
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
        "internalType": "string",
        "name": "baseDocument",
        "type": "string"
      }
    ],
    "name": "updateBaseDocument",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "node",
        "type": "address"
      }
    ],
    "name": "withdrawOnboardingNode",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const
