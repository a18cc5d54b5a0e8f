// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DidRegistry} from "../../../contracts/DidRegistry.sol";
import {IDidRegistry} from "../../../contracts/interfaces/IDidRegistry.sol";
import {Key, Keys} from "./support/Keys.sol";
import {RegistryFixture} from "./support/RegistryFixture.sol";
import {bound, vm} from "./support/Vm.sol";

/// @notice Onboarding, proofs, and the documents that come and go.
contract DidRegistryDocumentsTest is RegistryFixture {
    function test_KeepsOperatorAndPrefix() external view {
        vm.assertEq(registry.operator(), OPERATOR, "operator");
        vm.assertEq(registry.didPrefix(), Keys.PREFIX, "prefix");
    }

    function test_RefusesTheZeroAddress() external {
        _expect(IDidRegistry.DidRegistryZeroAddress.selector, "");
        new DidRegistry(address(0), Keys.PREFIX);
        _expect(IDidRegistry.DidRegistryZeroAddress.selector, "");
        vm.prank(OPERATOR);
        registry.authorizeOnboardingNode(address(0));
    }

    function testFuzz_OnlyTheOperatorDecidesOnNodes(address caller, address node) external {
        if (caller == OPERATOR) return;
        _expect(IDidRegistry.DidRegistryNotOperator.selector, abi.encode(caller));
        vm.prank(caller);
        registry.authorizeOnboardingNode(node);
        _expect(IDidRegistry.DidRegistryNotOperator.selector, abi.encode(caller));
        vm.prank(caller);
        registry.withdrawOnboardingNode(node);
    }

    function testFuzz_NodesComeAndGo(address node) external {
        if (node == address(0) || node == NODE) return;
        vm.assertFalse(registry.isOnboardingNode(node), "before");
        _expect(IDidRegistry.DidRegistryOnboardingNodeNotAuthorized.selector, abi.encode(node));
        vm.prank(OPERATOR);
        registry.withdrawOnboardingNode(node);
        vm.prank(OPERATOR);
        registry.authorizeOnboardingNode(node);
        vm.assertTrue(registry.isOnboardingNode(node), "authorized");
        _expect(IDidRegistry.DidRegistryOnboardingNodeAlreadyAuthorized.selector, abi.encode(node));
        vm.prank(OPERATOR);
        registry.authorizeOnboardingNode(node);
        vm.prank(OPERATOR);
        registry.withdrawOnboardingNode(node);
        vm.assertFalse(registry.isOnboardingNode(node), "withdrawn");
    }

    function testFuzz_RegistersWhatTheToolMakes(uint256 seed, bool isWithPrefix) external {
        Key memory key = Keys.create(seed);
        if (isWithPrefix) {
            key.proof = Keys.sign(key, key.publicKey);
            key.did = Keys.didOf(key.proof);
        }
        vm.prank(NODE);
        registry.insertFirstDidDocument(key.did, "{}", _controlKey(key, FIRST, 1, FOREVER), "urn");
        vm.assertEq(registry.didOfAccount(key.account), key.did, "account");
        vm.assertTrue(registry.isController(key.did, key.account), "control");
        (bool found, IDidRegistry.DidDocument memory document) = registry.resolve(key.did, 0);
        vm.assertTrue(found, "found");
        vm.assertEq(document.verificationMethods[0].publicKey, key.coordinates, "coordinates");
        vm.assertEq(document.verificationMethods[0].relationships, AUTHENTICATION | CONTROL, "uses");
        vm.assertEq(document.controllers[0], key.account, "controller");
    }

    // @row 2.states-and-transitions.1 2.endpoints/did-registry.26
    function testFuzz_RegistersNothingWithoutANode(address caller) external {
        if (caller == NODE) return;
        Key memory key = Keys.create(1);
        _expect(IDidRegistry.DidRegistryNotOnboardingNode.selector, abi.encode(caller));
        vm.prank(caller);
        registry.insertFirstDidDocument(key.did, "", _controlKey(key, FIRST, 1, FOREVER), "");
    }

    /// @notice A proof with one changed bit belongs to another key or to none.
    function testFuzz_RefusesAChangedProof(uint256 seed, uint256 position) external {
        Key memory key = Keys.create(seed);
        position = bound(position, 0, 519);
        key.proof[position / 8] ^= bytes1(uint8(1 << (position % 8)));
        key.did = Keys.didOf(key.proof);
        _expect(IDidRegistry.DidRegistryInvalidProof.selector, abi.encode(key.proof));
        vm.prank(NODE);
        registry.insertFirstDidDocument(key.did, "", _controlKey(key, FIRST, 1, FOREVER), "");
    }

    function testFuzz_RefusesTheHighForm(uint256 seed) external {
        Key memory key = Keys.create(seed);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key.privateKey, keccak256(key.coordinates));
        key.proof = abi.encodePacked(r, Keys.ORDER - uint256(s), 55 - v);
        key.did = Keys.didOf(key.proof);
        _expect(IDidRegistry.DidRegistryInvalidProof.selector, abi.encode(key.proof));
        vm.prank(NODE);
        registry.insertFirstDidDocument(key.did, "", _controlKey(key, FIRST, 1, FOREVER), "");
    }

    function testFuzz_RefusesAProofOfAnotherLength(uint8 length) external {
        if (length == 65) return;
        Key memory key = Keys.create(1);
        bytes memory proof = new bytes(length);
        for (uint256 i = 0; i < length && i < 65; ++i) proof[i] = key.proof[i];
        key.proof = proof;
        _expect(IDidRegistry.DidRegistryInvalidProof.selector, abi.encode(proof));
        vm.prank(NODE);
        registry.insertFirstDidDocument(key.did, "", _controlKey(key, FIRST, 1, FOREVER), "");
    }

    function testFuzz_RefusesAKeyThatIsNoPoint(uint256 x, uint256 y) external {
        Key memory key = Keys.create(1);
        key.publicKey = abi.encodePacked(bytes1(0x04), x, y);
        _expect(IDidRegistry.DidRegistryInvalidPublicKey.selector, abi.encode(key.publicKey));
        vm.prank(NODE);
        registry.insertFirstDidDocument(key.did, "", _controlKey(key, FIRST, 1, FOREVER), "");
    }

    function testFuzz_RefusesAKeyOfAnotherForm(bytes calldata publicKey) external {
        if (publicKey.length == 65 && publicKey[0] == 0x04) return;
        Key memory key = Keys.create(1);
        key.publicKey = publicKey;
        _expect(IDidRegistry.DidRegistryInvalidPublicKey.selector, abi.encode(publicKey));
        vm.prank(NODE);
        registry.insertFirstDidDocument(key.did, "", _controlKey(key, FIRST, 1, FOREVER), "");
    }

    function testFuzz_RefusesAnyOtherDid(uint256 seed, string calldata did) external {
        Key memory key = Keys.create(seed);
        _expect(IDidRegistry.DidRegistryDidMismatch.selector, abi.encode(did, key.did));
        vm.prank(NODE);
        registry.insertFirstDidDocument(did, "", _controlKey(key, FIRST, 1, FOREVER), "");
    }

    function testFuzz_RefusesAValidityWithoutLength(uint64 notBefore, uint64 notAfter) external {
        if (notAfter > notBefore) (notBefore, notAfter) = (notAfter, notBefore);
        Key memory key = Keys.create(1);
        _expect(IDidRegistry.DidRegistryInvalidValidity.selector, abi.encode(notBefore, notAfter));
        vm.prank(NODE);
        registry.insertFirstDidDocument(key.did, "", _controlKey(key, FIRST, notBefore, notAfter), "");
    }

    function testFuzz_RefusesAControlKeyThatHasEnded(uint64 notAfter, bool isFirst) external {
        notAfter = uint64(bound(notAfter, 2, START - 1));
        bytes memory arguments = abi.encode(notAfter, START);
        Key memory owner = _register(1);
        Key memory key = Keys.create(2);
        _expect(IDidRegistry.DidRegistryValidityInThePast.selector, arguments);
        vm.prank(isFirst ? NODE : owner.account);
        if (isFirst) registry.insertFirstDidDocument(key.did, "", _controlKey(key, FIRST, 1, notAfter), "");
        else registry.insertDidDocument(owner.did, "", _controlKey(key, bytes32(uint256(2)), 1, notAfter));
        vm.warp(notAfter);
        vm.prank(NODE);
        registry.insertFirstDidDocument(key.did, "", _controlKey(key, FIRST, 1, notAfter), "");
        vm.assertTrue(registry.isController(key.did, key.account), "in its last second");
    }

    function test_RegistersADidOnce() external {
        Key memory key = _register(1);
        _expect(IDidRegistry.DidRegistryDidAlreadyRegistered.selector, abi.encode(key.did));
        vm.prank(NODE);
        registry.insertFirstDidDocument(key.did, "", _controlKey(key, FIRST, 1, FOREVER), "");
    }

    // @row 2.states-and-transitions.2
    function testFuzz_ANewDocumentReplacesTheKey(uint64 notBefore, uint64 gap) external {
        Key memory old = _register(1);
        Key memory next = Keys.create(2);
        uint64 time = START + 1 + (gap % 1000);
        notBefore = uint64(bound(notBefore, 1, FOREVER - 2));
        uint64 start = notBefore > time ? notBefore : time;
        vm.warp(time);
        vm.prank(old.account);
        registry.insertDidDocument(old.did, "{1}", _controlKey(next, bytes32(uint256(2)), notBefore, FOREVER));
        vm.assertEq(_usesAt(old.did, FIRST, start - 1), AUTHENTICATION | CONTROL, "old key before");
        vm.assertEq(_usesAt(old.did, FIRST, start), 0, "old key afterwards");
        vm.assertFalse(_isListedAt(old.did, FIRST, start), "old key still listed");
        vm.assertEq(_usesAt(old.did, bytes32(uint256(2)), start), AUTHENTICATION | CONTROL, "new key");
        (, IDidRegistry.DidDocument memory before) = registry.resolveAt(old.did, time - 1);
        vm.assertEq(before.baseDocument, "{}", "base document before");
        (, IDidRegistry.DidDocument memory document) = registry.resolveAt(old.did, time);
        vm.assertEq(document.baseDocument, "{1}", "base document");
        vm.assertEq(document.alsoKnownAs, "urn:first", "alsoKnownAs stays");
    }

    function test_AnUpdateKeepsTheOtherUses() external {
        Key memory key = _register(1);
        _addUse(key, IDidRegistry.Relationship.AssertionMethod, FIRST, 1, FOREVER);
        vm.prank(key.account);
        registry.insertDidDocument(key.did, "{}", _controlKey(key, FIRST, 1, START + 50));
        vm.assertEq(_usesAt(key.did, FIRST, START + 50), AUTHENTICATION | ASSERTION | CONTROL, "until its end");
        vm.assertEq(_usesAt(key.did, FIRST, START + 51), ASSERTION, "after its end");
        vm.warp(START + 10);
        vm.prank(key.account);
        registry.insertDidDocument(key.did, "{}", _controlKey(key, FIRST, START + 100, START + 200));
        vm.prank(key.account);
        registry.expireVerificationMethod(key.did, FIRST, START + 150);
        vm.assertTrue(_isListedAt(key.did, FIRST, START + 150), "listed until its end");
        vm.assertFalse(_isListedAt(key.did, FIRST, START + 151), "listed after its end");
    }

    function test_ADocumentRefusesATakenOrRevokedMethod() external {
        Key memory key = _register(1);
        Key memory other = Keys.create(2);
        bytes memory arguments = abi.encode(key.did, FIRST);
        _expect(IDidRegistry.DidRegistryVerificationMethodAlreadyAdded.selector, arguments);
        vm.prank(key.account);
        registry.insertDidDocument(key.did, "", _controlKey(other, FIRST, 1, FOREVER));
        vm.prank(key.account);
        registry.revokeVerificationMethod(key.did, FIRST, START + 10);
        _expect(IDidRegistry.DidRegistryVerificationMethodIsRevoked.selector, arguments);
        vm.prank(key.account);
        registry.insertDidDocument(key.did, "", _controlKey(key, FIRST, 1, FOREVER));
    }

    function testFuzz_TextsHoldFromTheirSecondOn(uint64[4] calldata gaps, uint64 instant) external {
        Key memory key = _register(1);
        uint64 time = START;
        uint64[5] memory starts;
        starts[0] = START;
        for (uint256 i = 0; i < 4; ++i) {
            time += gaps[i] % 3;
            starts[i + 1] = time;
            vm.warp(time);
            vm.prank(i % 2 == 0 ? key.account : OPERATOR);
            registry.updateAlsoKnownAs(key.did, string(abi.encodePacked("urn:", uint8(0x31 + i))));
            vm.prank(key.account);
            registry.updateBaseDocument(key.did, string(abi.encodePacked("base", uint8(0x31 + i))));
        }
        instant = START + (instant % 10);
        string[2] memory expected = ["urn:first", "{}"];
        for (uint256 i = 0; i < 4; ++i) {
            if (starts[i + 1] > instant) break;
            expected[0] = string(abi.encodePacked("urn:", uint8(0x31 + i)));
            expected[1] = string(abi.encodePacked("base", uint8(0x31 + i)));
        }
        (, IDidRegistry.DidDocument memory document) = registry.resolveAt(key.did, instant);
        vm.assertEq(document.alsoKnownAs, expected[0], "alsoKnownAs");
        vm.assertEq(document.baseDocument, expected[1], "base document");
    }

    function testFuzz_NothingBeforeTheRegistration(uint64 time) external {
        time = uint64(bound(time, 0, START - 1));
        Key memory key = _register(1);
        (bool found, ) = registry.resolveAt(key.did, time);
        vm.assertFalse(found, "too early");
        (found, ) = registry.resolve(key.did, time);
        vm.assertTrue(found, "the block's time is later");
        (found, ) = registry.resolveAt("did:unknown", START);
        vm.assertFalse(found, "unknown");
    }

    function testFuzz_PagesThroughTheDids(uint8 offset, uint8 limit) external {
        string[3] memory dids = [_register(1).did, _register(2).did, _register(3).did];
        (uint256 total, string[] memory page) = registry.identifiers(offset, limit);
        vm.assertEq(total, 3, "total");
        uint256 left = offset > 3 ? 0 : 3 - offset;
        vm.assertEq(page.length, limit < left ? limit : left, "length");
        for (uint256 i = 0; i < page.length; ++i) vm.assertEq(page[i], dids[offset + i], "order");
    }
}
