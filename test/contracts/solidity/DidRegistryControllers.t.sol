// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDidRegistry} from "../../../contracts/interfaces/IDidRegistry.sol";
import {Key, Keys} from "./support/Keys.sol";
import {RegistryFixture} from "./support/RegistryFixture.sol";
import {bound, vm} from "./support/Vm.sol";

/// @notice The controllers of a DID, now and at an earlier instant.
contract DidRegistryControllersTest is RegistryFixture {
    Key private a;
    Key private b;

    function setUp() public override {
        super.setUp();
        a = _register(1);
        b = _register(2);
    }

    function testFuzz_ControlHasAHistory(uint64 gap, uint64 length, uint64 time, bool isByAccount) external {
        uint64 added = START + uint64(bound(gap, 1, 1000));
        uint64 revoked = added + uint64(bound(length, 0, 1000));
        vm.warp(added);
        vm.prank(a.account);
        if (isByAccount) registry.addControllerByAccount(a.did, b.account);
        else registry.addController(a.did, b.did);
        vm.assertTrue(registry.isController(a.did, b.account), "added");
        vm.warp(revoked);
        vm.prank(b.account);
        if (isByAccount) registry.revokeControllerByAccount(a.did, b.account);
        else registry.revokeController(a.did, b.did);
        vm.assertFalse(registry.isController(a.did, b.account), "revoked");

        time = uint64(bound(time, START, START + 3000));
        (, IDidRegistry.DidDocument memory document) = registry.resolveAt(a.did, time);
        bool isWithin = added <= time && time < revoked;
        vm.assertEq(document.controllers.length, isWithin ? 2 : 1, "at any instant");
        vm.assertEq(document.controllers[0], a.account, "the DID itself");
        if (isWithin) vm.assertEq(document.controllers[1], b.account, "the other one");
    }

    function test_AControllersNewKeyControls() external {
        Key memory next = Keys.create(3);
        vm.prank(a.account);
        registry.addController(a.did, b.did);
        vm.prank(b.account);
        registry.rollVerificationMethod(b.did, FIRST, _successor(next, bytes32(uint256(2)), START, FOREVER, 0));
        vm.warp(START + 1);
        vm.assertTrue(registry.isController(a.did, next.account), "the new key");
        vm.assertFalse(registry.isController(a.did, b.account), "the old key");
    }

    function test_AnAccountIsListedOnce() external {
        _addKey(b, bytes32(uint256(2)), a);
        _addUse(b, IDidRegistry.Relationship.CapabilityInvocation, bytes32(uint256(2)), 1, FOREVER);
        vm.prank(a.account);
        registry.addController(a.did, b.did);
        (, IDidRegistry.DidDocument memory document) = registry.resolve(a.did, START);
        vm.assertEq(document.controllers.length, 2, "a and b");
    }

    function test_RefusesAControllerTwice() external {
        bytes memory arguments = abi.encode(a.did, a.did);
        _expect(IDidRegistry.DidRegistryControllerAlreadyAdded.selector, arguments);
        vm.prank(a.account);
        registry.addController(a.did, a.did);
        _expect(IDidRegistry.DidRegistryControllerAlreadyAdded.selector, arguments);
        vm.prank(a.account);
        registry.addControllerByAccount(a.did, a.account);
    }

    function test_RefusesToRevokeWhatIsNotThere() external {
        bytes memory arguments = abi.encode(a.did, b.did);
        _expect(IDidRegistry.DidRegistryControllerNotAdded.selector, arguments);
        vm.prank(a.account);
        registry.revokeController(a.did, b.did);
        _expect(IDidRegistry.DidRegistryControllerNotAdded.selector, arguments);
        vm.prank(a.account);
        registry.revokeControllerByAccount(a.did, b.account);
    }

    function test_RefusesToRevokeTheLastOne() external {
        _expect(IDidRegistry.DidRegistryLastController.selector, abi.encode(a.did, a.did));
        vm.prank(a.account);
        registry.revokeController(a.did, a.did);
        vm.prank(a.account);
        registry.addController(a.did, b.did);
        vm.prank(a.account);
        registry.revokeController(a.did, a.did);
        vm.assertEq(registry.controllersOf(a.did)[0], b.did, "the one that stays");
        _expect(IDidRegistry.DidRegistryLastController.selector, abi.encode(a.did, b.did));
        vm.prank(b.account);
        registry.revokeController(a.did, b.did);
    }

    function testFuzz_KnowsNoOtherAccount(address account) external {
        if (account == a.account || account == b.account) return;
        _expect(IDidRegistry.DidRegistryAccountNotRegistered.selector, abi.encode(account));
        vm.prank(a.account);
        registry.addControllerByAccount(a.did, account);
        _expect(IDidRegistry.DidRegistryAccountNotRegistered.selector, abi.encode(account));
        vm.prank(a.account);
        registry.revokeControllerByAccount(a.did, account);
        vm.assertEq(registry.didOfAccount(account), "", "no DID");
    }

    function testFuzz_NeedsARegisteredController(string calldata controller) external {
        if (keccak256(bytes(controller)) == keccak256(bytes(b.did))) return;
        if (keccak256(bytes(controller)) == keccak256(bytes(a.did))) return;
        _expect(IDidRegistry.DidRegistryDidNotRegistered.selector, abi.encode(controller));
        vm.prank(a.account);
        registry.addController(a.did, controller);
    }
}
