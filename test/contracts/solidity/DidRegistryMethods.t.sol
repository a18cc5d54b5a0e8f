// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDidRegistry} from "../../../contracts/interfaces/IDidRegistry.sol";
import {Key, Keys} from "./support/Keys.sol";
import {RegistryFixture} from "./support/RegistryFixture.sol";
import {bound, vm} from "./support/Vm.sol";

/// @notice Verification methods, their windows, and their ends.
contract DidRegistryMethodsTest is RegistryFixture {
    bytes32 private constant SECOND = bytes32(uint256(2));
    bytes32 private constant THIRD = bytes32(uint256(3));
    bytes private constant JWK = '{"kty":"EC"}';

    Key private owner;
    Key private other;

    function setUp() public override {
        super.setUp();
        owner = _register(1);
        other = Keys.create(2);
    }

    // @row 2.states-and-transitions.3
    function testFuzz_AMethodIsListedWithoutAUseBeforeARelationship(bytes32 vMethodId, uint64 time) external {
        if (vMethodId == FIRST) return;
        vm.warp(START + 50);
        _addKey(owner, vMethodId, other);
        vm.assertEq(_usesAt(owner.did, vMethodId, time), 0, "no use");
        vm.assertTrue(_isListedAt(owner.did, vMethodId, time) == (time >= START + 50), "from its registration on");
        vm.assertFalse(registry.isController(owner.did, other.account), "no control");
    }

    function testFuzz_AWindowIncludesBothEnds(uint8 use, uint64 notBefore, uint64 notAfter, uint64 time) external {
        use = use % 5;
        notBefore = uint64(bound(notBefore, START, FOREVER - 1));
        notAfter = uint64(bound(notAfter, notBefore + 1, FOREVER));
        _addKey(owner, SECOND, other);
        _addUse(owner, IDidRegistry.Relationship(use), SECOND, notBefore, notAfter);
        uint8 mask = uint8(1 << use);
        vm.assertEq(_usesAt(owner.did, SECOND, notBefore), mask, "first second");
        vm.assertEq(_usesAt(owner.did, SECOND, notAfter), mask, "last second");
        vm.assertEq(_usesAt(owner.did, SECOND, notAfter + 1), 0, "afterwards");
        if (notBefore > START) vm.assertEq(_usesAt(owner.did, SECOND, notBefore - 1), 0, "before");
        time = uint64(bound(time, START, FOREVER + 1));
        bool isWithin = notBefore <= time && time <= notAfter;
        vm.assertEq(_usesAt(owner.did, SECOND, time), isWithin ? mask : 0, "any instant");
    }

    function testFuzz_ControlFollowsTheWindow(uint64 notBefore, uint64 notAfter, uint64 time) external {
        notBefore = uint64(bound(notBefore, START, START + 100));
        notAfter = uint64(bound(notAfter, notBefore + 1, START + 200));
        time = uint64(bound(time, START, START + 300));
        _addKey(owner, SECOND, other);
        _addUse(owner, IDidRegistry.Relationship.CapabilityInvocation, SECOND, notBefore, notAfter);
        vm.warp(time);
        if (time < notBefore || time > notAfter) {
            _expect(IDidRegistry.DidRegistryNotController.selector, abi.encode(owner.did, other.account));
        }
        vm.prank(other.account);
        registry.updateBaseDocument(owner.did, "{}");
    }

    /// @notice Neither revoking nor expiring ever prolongs a validity, regardless of earlier operations.
    // @row 2.states-and-transitions.4 2.states-and-transitions.5
    function testFuzz_EndsOnlyMoveToEarlier(uint64[3] calldata ends, bool[3] calldata isRevoked) external {
        _addKey(owner, SECOND, other);
        uint64 earliest = START + 500;
        uint64 listedUntil = FOREVER;
        _addUse(owner, IDidRegistry.Relationship.AssertionMethod, SECOND, START, earliest);
        for (uint256 i = 0; i < 3; ++i) {
            uint64 notAfter = uint64(bound(ends[i], START - 10, START + 1000));
            if (notAfter < earliest) earliest = notAfter;
            vm.prank(owner.account);
            if (isRevoked[i]) registry.revokeVerificationMethod(owner.did, SECOND, notAfter);
            else registry.expireVerificationMethod(owner.did, SECOND, notAfter);
            if (earliest >= START) vm.assertEq(_usesAt(owner.did, SECOND, earliest), ASSERTION, "its end");
            vm.assertEq(_usesAt(owner.did, SECOND, earliest + 1), 0, "after its end");
            if (notAfter < listedUntil) listedUntil = notAfter;
            if (listedUntil >= START) vm.assertTrue(_isListedAt(owner.did, SECOND, listedUntil), "listed to its end");
            vm.assertFalse(_isListedAt(owner.did, SECOND, listedUntil + 1), "listed after its end");
        }
        bool isOnceRevoked = isRevoked[0] || isRevoked[1] || isRevoked[2];
        if (isOnceRevoked) {
            bytes memory arguments = abi.encode(owner.did, SECOND);
            _expect(IDidRegistry.DidRegistryVerificationMethodIsRevoked.selector, arguments);
        }
        _addUse(owner, IDidRegistry.Relationship.AssertionMethod, SECOND, START + 2000, START + 3000);
        vm.assertEq(_usesAt(owner.did, SECOND, START + 2000), isOnceRevoked ? 0 : ASSERTION, "renewed");
    }

    // @row 2.states-and-transitions.6
    function testFuzz_ARollOverlaps(uint64 notBefore, uint64 notAfter, uint64 duration, uint64 oldEnd) external {
        notBefore = uint64(bound(notBefore, START, START + 1000));
        notAfter = uint64(bound(notAfter, notBefore + 1, FOREVER));
        oldEnd = uint64(bound(oldEnd, START + 1, FOREVER));
        _addKey(owner, SECOND, other);
        _addUse(owner, IDidRegistry.Relationship.AssertionMethod, SECOND, START, oldEnd);
        Key memory third = Keys.create(3);
        _roll(SECOND, _successor(third, THIRD, notBefore, notAfter, duration));
        uint256 expected = uint256(notBefore) + duration;
        if (expected > oldEnd) expected = oldEnd;
        vm.assertEq(_usesAt(owner.did, SECOND, uint64(expected)), ASSERTION, "old key in its last second");
        vm.assertEq(_usesAt(owner.did, SECOND, uint64(expected) + 1), 0, "old key afterwards");
        vm.assertTrue(_isListedAt(owner.did, THIRD, START), "new key from its registration on");
        vm.assertFalse(_isListedAt(owner.did, THIRD, notAfter + 1), "new key afterwards");
        vm.assertEq(_usesAt(owner.did, THIRD, notBefore), ASSERTION, "new key in its first second");
        vm.assertEq(_usesAt(owner.did, THIRD, notAfter), ASSERTION, "new key in its last second");
        vm.assertEq(_usesAt(owner.did, THIRD, notAfter + 1), 0, "new key afterwards");
    }

    function test_ARolledControlKeyIsReplacedByTheNextDocument() external {
        Key memory third = Keys.create(3);
        vm.prank(owner.account);
        registry.rollVerificationMethod(owner.did, FIRST, _successor(other, SECOND, START, FOREVER, 1000));
        vm.assertTrue(registry.isController(owner.did, owner.account), "overlap");
        vm.warp(START + 10);
        vm.prank(other.account);
        registry.insertDidDocument(owner.did, "{}", _controlKey(third, THIRD, 1, FOREVER));
        vm.assertFalse(registry.isController(owner.did, owner.account), "rolled key");
        vm.assertFalse(registry.isController(owner.did, other.account), "its successor");
        vm.assertTrue(registry.isController(owner.did, third.account), "the document's key");
        vm.assertEq(_usesAt(owner.did, FIRST, START + 9), AUTHENTICATION | CONTROL, "the overlap was valid");
    }

    function test_RollsRefuseThePast() external {
        bytes4 selector = IDidRegistry.DidRegistryRollInThePast.selector;
        vm.warp(START + 100);
        _expect(selector, abi.encode(START + 99, START + 100));
        _roll(FIRST, _successor(other, SECOND, START, START + 99, 1000));
        _expect(selector, abi.encode(START + 99, START + 100));
        _roll(FIRST, _successor(other, SECOND, START, FOREVER, 99));
        _addKey(owner, THIRD, Keys.create(3));
        _addUse(owner, IDidRegistry.Relationship.AssertionMethod, THIRD, START, START + 50);
        _expect(selector, abi.encode(START + 50, START + 100));
        _roll(THIRD, _successor(other, SECOND, START, FOREVER, 1000));
        _addKey(owner, SECOND, other);
        vm.prank(owner.account);
        registry.expireVerificationMethod(owner.did, SECOND, START + 60);
        _expect(selector, abi.encode(START + 60, START + 100));
        _roll(SECOND, _successor(other, bytes32(uint256(4)), START, FOREVER, 1000));
    }

    function test_RollsRefuseWhatIsNotThereOrRevoked() external {
        bytes4 selector = IDidRegistry.DidRegistryVerificationMethodNotAdded.selector;
        _expect(selector, abi.encode(owner.did, SECOND));
        _roll(SECOND, _successor(other, THIRD, START, FOREVER, 0));
        selector = IDidRegistry.DidRegistryVerificationMethodAlreadyAdded.selector;
        _expect(selector, abi.encode(owner.did, FIRST));
        _roll(FIRST, _successor(other, FIRST, START, FOREVER, 0));
        _expect(IDidRegistry.DidRegistryInvalidValidity.selector, abi.encode(START, START));
        _roll(FIRST, _successor(other, SECOND, START, START, 0));
        vm.prank(owner.account);
        registry.revokeVerificationMethod(owner.did, FIRST, FOREVER);
        selector = IDidRegistry.DidRegistryVerificationMethodIsRevoked.selector;
        _expect(selector, abi.encode(owner.did, FIRST));
        _roll(FIRST, _successor(other, SECOND, START, FOREVER, 0));
    }

    function test_AJwkNeverControls() external {
        IDidRegistry.PublicKeyType jwkType = IDidRegistry.PublicKeyType.JsonWebKey2020;
        vm.prank(owner.account);
        registry.addVerificationMethod(owner.did, SECOND, jwkType, JWK);
        _expect(IDidRegistry.DidRegistryNotControlKey.selector, abi.encode(owner.did, SECOND));
        _addUse(owner, IDidRegistry.Relationship.CapabilityInvocation, SECOND, 1, FOREVER);
        IDidRegistry.SuccessorKey memory successor = _successor(other, THIRD, START, FOREVER, 0);
        (successor.publicKeyType, successor.publicKey) = (jwkType, JWK);
        _expect(IDidRegistry.DidRegistryNotControlKey.selector, abi.encode(owner.did, THIRD));
        _roll(FIRST, successor);
        _addUse(owner, IDidRegistry.Relationship.AssertionMethod, SECOND, START, FOREVER);
        _roll(SECOND, successor);
        (, IDidRegistry.DidDocument memory document) = registry.resolve(owner.did, START);
        vm.assertEq(document.verificationMethods[2].publicKey, JWK, "the JWK as it is");
        vm.assertEq(uint8(document.verificationMethods[2].publicKeyType), uint8(jwkType), "type");
    }

    function testFuzz_RefusesKeysOfAWrongForm(bytes calldata publicKey) external {
        if (publicKey.length == 65 && publicKey[0] == 0x04) return;
        _expect(IDidRegistry.DidRegistryInvalidPublicKey.selector, abi.encode(publicKey));
        vm.prank(owner.account);
        registry.addVerificationMethod(owner.did, SECOND, IDidRegistry.PublicKeyType.Secp256k1, publicKey);
        _expect(IDidRegistry.DidRegistryInvalidPublicKey.selector, abi.encode(bytes("")));
        vm.prank(owner.account);
        registry.addVerificationMethod(owner.did, SECOND, IDidRegistry.PublicKeyType.JsonWebKey2020, "");
    }

    // @row 2.authentication.1
    function testFuzz_WritesAreForControllersAlone(address caller) external {
        if (caller == owner.account) return;
        _requireRefused(caller);
        _requireRefused(OPERATOR);
        _requireRefused(NODE);
    }

    function _requireRefused(address caller) private {
        bytes[] memory calls = _writes(owner.did);
        bytes memory arguments = abi.encode(owner.did, caller);
        for (uint256 i = 0; i < calls.length; ++i) {
            if (i == 0 && caller == OPERATOR) continue;
            vm.prank(caller);
            (bool ok, bytes memory data) = address(registry).call(calls[i]);
            vm.assertFalse(ok, "refused");
            vm.assertEq(data, bytes.concat(IDidRegistry.DidRegistryNotController.selector, arguments), "reason");
        }
    }

    function test_WritesNeedARegisteredDid() external {
        bytes[] memory calls = _writes("did:unknown");
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool ok, bytes memory data) = address(registry).call(calls[i]);
            vm.assertFalse(ok, "refused");
            bytes4 selector = IDidRegistry.DidRegistryDidNotRegistered.selector;
            vm.assertEq(data, bytes.concat(selector, abi.encode("did:unknown")), "reason");
        }
    }

    function _roll(bytes32 oldVMethodId, IDidRegistry.SuccessorKey memory successor) private {
        vm.prank(owner.account);
        registry.rollVerificationMethod(owner.did, oldVMethodId, successor);
    }

    /// @dev updateAlsoKnownAs comes first: it is the one that the operator may do.
    function _writes(string memory did) private view returns (bytes[] memory calls) {
        calls = new bytes[](12);
        calls[0] = abi.encodeCall(registry.updateAlsoKnownAs, (did, "urn"));
        calls[1] = abi.encodeCall(registry.updateBaseDocument, (did, "{}"));
        calls[2] = abi.encodeCall(registry.insertDidDocument, (did, "", _controlKey(owner, FIRST, 1, 2)));
        calls[3] = abi.encodeCall(registry.addController, (did, did));
        calls[4] = abi.encodeCall(registry.addControllerByAccount, (did, owner.account));
        calls[5] = abi.encodeCall(registry.revokeController, (did, did));
        calls[6] = abi.encodeCall(registry.revokeControllerByAccount, (did, owner.account));
        calls[7] = abi.encodeCall(
            registry.addVerificationMethod,
            (did, SECOND, IDidRegistry.PublicKeyType.JsonWebKey2020, JWK)
        );
        calls[8] = abi.encodeCall(
            registry.addVerificationRelationship,
            (did, IDidRegistry.Relationship.AssertionMethod, FIRST, 1, 2)
        );
        calls[9] = abi.encodeCall(registry.revokeVerificationMethod, (did, FIRST, 1));
        calls[10] = abi.encodeCall(registry.expireVerificationMethod, (did, FIRST, 1));
        calls[11] = abi.encodeCall(
            registry.rollVerificationMethod,
            (did, FIRST, _successor(other, SECOND, START, FOREVER, 0))
        );
    }
}
