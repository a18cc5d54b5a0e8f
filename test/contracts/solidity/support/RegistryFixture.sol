// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DidRegistry} from "../../../../contracts/DidRegistry.sol";
import {IDidRegistry} from "../../../../contracts/interfaces/IDidRegistry.sol";
import {TrustedIssuersRegistry} from "../../../../contracts/TrustedIssuersRegistry.sol";
import {Key, Keys} from "./Keys.sol";
import {vm} from "./Vm.sol";

/// @notice Both registries with an operator and an authorized onboarding node, at the instant START.
abstract contract RegistryFixture {
    uint64 internal constant START = 1_000_000;
    uint64 internal constant FOREVER = 10_000_000_000;
    address internal constant OPERATOR = address(0x0123);
    address internal constant NODE = address(0x0456);
    address internal constant STRANGER = address(0x0789);
    /// @dev The method of each registered DID's first key.
    bytes32 internal constant FIRST = bytes32(uint256(1));
    uint8 internal constant AUTHENTICATION = 1;
    uint8 internal constant ASSERTION = 2;
    uint8 internal constant CONTROL = 8;

    DidRegistry internal registry;
    TrustedIssuersRegistry internal tir;

    function setUp() public virtual {
        vm.warp(START);
        registry = new DidRegistry(OPERATOR, Keys.PREFIX);
        tir = new TrustedIssuersRegistry(registry);
        vm.prank(OPERATOR);
        registry.authorizeOnboardingNode(NODE);
    }

    /// @notice A key of this seed, registered with a separate DID that it controls without an end.
    function _register(uint256 seed) internal returns (Key memory key) {
        key = Keys.create(seed);
        vm.prank(NODE);
        registry.insertFirstDidDocument(key.did, "{}", _controlKey(key, FIRST, 1, FOREVER), "urn:first");
    }

    /// @notice Adds the key's raw form to the owner's DID, without a use.
    function _addKey(Key memory owner, bytes32 vMethodId, Key memory key) internal {
        vm.prank(owner.account);
        registry.addVerificationMethod(owner.did, vMethodId, IDidRegistry.PublicKeyType.Secp256k1, key.publicKey);
    }

    /// @notice Adds a window of a use.
    function _addUse(
        Key memory owner,
        IDidRegistry.Relationship use,
        bytes32 vMethodId,
        uint64 notBefore,
        uint64 notAfter
    ) internal {
        vm.prank(owner.account);
        registry.addVerificationRelationship(owner.did, use, vMethodId, notBefore, notAfter);
    }

    /// @notice The uses of a method at an instant as a mask, zero if it is not listed or has none.
    function _usesAt(string memory did, bytes32 vMethodId, uint64 time) internal view returns (uint8 uses) {
        (, uses) = _methodAt(did, vMethodId, time);
    }

    /// @notice Whether the document lists a method at an instant.
    function _isListedAt(string memory did, bytes32 vMethodId, uint64 time) internal view returns (bool isListed) {
        (isListed, ) = _methodAt(did, vMethodId, time);
    }

    function _methodAt(string memory did, bytes32 vMethodId, uint64 time) private view returns (bool, uint8) {
        (, IDidRegistry.DidDocument memory document) = registry.resolveAt(did, time);
        IDidRegistry.VerificationMethod[] memory methods = document.verificationMethods;
        for (uint256 i = 0; i < methods.length; ++i) {
            if (methods[i].vMethodId == vMethodId) return (true, methods[i].relationships);
        }
        return (false, 0);
    }

    function _controlKey(
        Key memory key,
        bytes32 vMethodId,
        uint64 notBefore,
        uint64 notAfter
    ) internal pure returns (IDidRegistry.ControlKey memory) {
        return IDidRegistry.ControlKey(vMethodId, key.proof, key.publicKey, notBefore, notAfter);
    }

    function _successor(
        Key memory key,
        bytes32 vMethodId,
        uint64 notBefore,
        uint64 notAfter,
        uint64 duration
    ) internal pure returns (IDidRegistry.SuccessorKey memory) {
        return
            IDidRegistry.SuccessorKey(
                vMethodId,
                IDidRegistry.PublicKeyType.Secp256k1,
                key.publicKey,
                notBefore,
                notAfter,
                duration
            );
    }

    function _expect(bytes4 selector, bytes memory arguments) internal {
        vm.expectRevert(bytes.concat(selector, arguments));
    }
}
