"""What alerts would have done on a history: judged from the times at which their conditions were true."""
